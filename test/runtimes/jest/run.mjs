import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../processes.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The Jest tests of the guide, which need `--experimental-vm-modules`. */
export async function guideInJest(root, modules, application) {
  const page = readFileSync(join(root, 'docs/test-runners.md'), 'utf8');
  const snippets = [...page.matchAll(/^```js jest\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  if (snippets.length === 0) throw new Error('The guide contains no Jest test.');
  const folder = join(application.folder, 'jest-guide');
  mkdirSync(folder, { recursive: true });
  snippets.forEach((text, i) => {
    const extension = text.includes('require(') ? 'cjs' : 'mjs';
    writeFileSync(join(folder, `snippet-${i}.test.${extension}`), text);
  });
  const match = ['--testMatch', '**/snippet-*'];
  return jest(modules, folder, ['--experimental-vm-modules'], match, snippets.length);
}

/** A CommonJS test suite against the packed package, in Jest without any flag. */
export async function defaultJest(modules, application) {
  const folder = join(application.folder, 'jest-default');
  cpSync(join(here, 'project'), folder, { recursive: true });
  return jest(modules, folder, [], []);
}

async function jest(modules, folder, nodeArguments, jestArguments, expected) {
  const { status, stderr } = await runProgram(
    process.execPath,
    [...nodeArguments, join(modules, 'jest/bin/jest.js'), '--rootDir', folder, ...jestArguments],
    { cwd: folder },
  );
  const passed = Number(/^Tests: .*?(\d+) passed/m.exec(stderr)?.[1] ?? 0);
  const complete = expected === undefined ? passed > 0 : passed === expected;
  const failure = { file: folder, name: 'its tests pass', error: stderr };
  const failures = status === 0 && complete ? [] : [failure];
  return { claims: Math.max(passed, 1), skipped: 0, failures };
}
