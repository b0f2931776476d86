import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './processes.mjs';

/** The Jest tests that the guide shows, run by Jest. */
export async function jestOf(root, modules, application) {
  const page = readFileSync(join(root, 'docs/test-runners.md'), 'utf8');
  const snippets = [...page.matchAll(/^```js jest\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  if (snippets.length === 0) throw new Error('The guide shows no Jest test.');
  snippets.forEach((text, i) => {
    application.write(`jest-${i}.test.${text.includes('require(') ? 'cjs' : 'mjs'}`, text);
  });
  const { status, stderr } = await runProgram(
    process.execPath,
    ['--experimental-vm-modules', join(modules, 'jest/bin/jest.js'), '--testMatch', '**/jest-*'],
    { cwd: application.folder },
  );
  const passed = Number(/^Tests: .*?(\d+) passed/m.exec(stderr)?.[1] ?? 0);
  const right = status === 0 && passed === snippets.length;
  const failure = { file: 'docs/test-runners.md', name: 'its tests pass', error: stderr };
  return { claims: snippets.length, skipped: 0, failures: right ? [] : [failure] };
}
