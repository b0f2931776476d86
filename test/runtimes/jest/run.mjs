import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../processes.mjs';
import { blocks, firstTest } from '../snippets.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Test suites against the packed package in Jest, without any flag. */
export async function defaultJest(root, modules, application) {
  const folder = join(application.folder, 'jest-default');
  cpSync(join(here, 'project'), folder, { recursive: true });
  const snippets = blocks(root, 'docs/test-runners.md', 'js jest');
  snippets.forEach((text, i) => {
    writeFileSync(join(folder, `guide-${i}.test.cjs`), text);
  });
  writeFileSync(join(folder, 'readme.test.cjs'), firstTest(root, { format: 'require' }));
  return jest(modules, folder, [], snippets.length + 1);
}

/** Every CommonJS entry in Jest's own jsdom, without any option. */
export function jestInJsdom(modules, application) {
  const folder = join(application.folder, 'jest-jsdom');
  cpSync(join(here, 'jsdom'), folder, { recursive: true });
  const environment = join(modules, 'jest-environment-jsdom/build/index.js');
  return jest(modules, folder, ['--env', environment], 10);
}

/** README's first test as TypeScript, as ts-jest compiles it by default. */
export async function tsJest(root, modules, application) {
  const folder = join(application.folder, 'ts-jest');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'readme.test.ts'), firstTest(root));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const compilerOptions = {
    ...{ target: 'ES2022', module: 'Node16', strict: true, esModuleInterop: true },
    ...{ isolatedModules: true, skipLibCheck: true },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const transform = { '^.+[.]ts$': join(modules, 'ts-jest/dist/index.js') };
  return jest(modules, folder, ['--transform', JSON.stringify(transform)], 1);
}

async function jest(modules, folder, jestArguments, atLeast) {
  const { status, stderr } = await runProgram(
    process.execPath,
    [join(modules, 'jest/bin/jest.js'), '--rootDir', folder, ...jestArguments],
    { cwd: folder },
  );
  const passed = Number(/^Tests: .*?(\d+) passed/m.exec(stderr)?.[1] ?? 0);
  const failure = { file: folder, name: 'its tests pass', error: stderr };
  const failures = status === 0 && passed >= atLeast ? [] : [failure];
  return { claims: Math.max(passed, 1), skipped: 0, failures };
}
