import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The Jest tests that the guide shows, run by Jest. */
export function jestOf(root, modules, application) {
  const page = readFileSync(join(root, 'docs/test-runners.md'), 'utf8');
  const snippets = [...page.matchAll(/^```js jest\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  if (snippets.length === 0) throw new Error('The guide shows no Jest test.');
  snippets.forEach((text, i) => {
    application.write(`jest-${i}.test.${text.includes('require(') ? 'cjs' : 'mjs'}`, text);
  });
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--experimental-vm-modules', join(modules, 'jest/bin/jest.js'), '--testMatch', '**/jest-*'],
    { cwd: application.folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  );
  const passed = Number(/^Tests: .*?(\d+) passed/m.exec(stderr)?.[1] ?? 0);
  const right = status === 0 && passed === snippets.length;
  return { claims: snippets.length, failures: right ? {} : { 'the guide’s tests pass': stderr } };
}
