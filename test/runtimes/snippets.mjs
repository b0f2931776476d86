import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { runProgram } from './processes.mjs';

/** README's first test for another runner, which is imported in place of `node:test` or provides `test` as a global. */
export function firstTest(root, { runner, format = 'import' } = {}) {
  const found = blocks(root, 'README.md', 'ts').find((block) => block.includes("'node:test'"));
  const text = runner
    ? found.replace("'node:test'", `'${runner}'`)
    : found.replace(/^import .* from 'node:test';\n/m, '');
  return format === 'import'
    ? text
    : text.replace(/^import (.*) from (.*);$/gm, 'const $1 = require($2);');
}

/** The blocks of a page that are marked with exactly this language. */
export function blocks(root, page, language) {
  const text = readFileSync(join(root, page), 'utf8');
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const found = [...text.matchAll(fence)].map(([, block]) => block);
  if (found.length === 0) throw new Error(`${page} contains no block of ${language}.`);
  return found;
}

/** Makes packages of this folder's installation available to the application. */
export function link(modules, application, ...names) {
  for (const name of names) {
    const at = join(application.folder, 'node_modules', name);
    mkdirSync(dirname(at), { recursive: true });
    if (!existsSync(at)) symlinkSync(join(modules, name), at);
  }
}

/** Each Node that is installed here, and the pinned one. */
export function nodesOf(modules) {
  const versions = readdirSync(modules).filter((name) => /^node-\d/.test(name));
  const found = versions.map((name) => join(modules, name, 'bin/node')).filter(existsSync);
  return [process.execPath, ...found];
}

/** README's first test, as it is, with `node --test` on each supported Node. */
export async function firstTestOnNode(root, modules, application) {
  const file = join(application.folder, 'first.test.mjs');
  writeFileSync(file, firstTest(root, { runner: 'node:test' }));
  const results = await Promise.all(
    nodesOf(modules).map(async (node) => ({
      node,
      ...(await runProgram(node, ['--test', file], { cwd: application.folder })),
    })),
  );
  const failures = results
    .filter(({ status, stdout }) => status !== 0 || !/pass 1$/m.test(stdout))
    .map(({ node, stdout, stderr }) => ({ file: node, name: 'it passes', error: stdout + stderr }));
  return { claims: results.length, skipped: 0, failures };
}
