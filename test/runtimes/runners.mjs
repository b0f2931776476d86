import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './processes.mjs';
import { blocks, firstTest, link } from './snippets.mjs';

/** The test runners of docs/test-runners.md, each in a project whose only dependency is the packed package. */
export function runnerChecks(root, modules, application) {
  return [
    ['Jest without flags, and with its own jsdom', () => jest(root, modules, application)],
    ['Vitest, with jsdom and happy-dom', () => vitest(root, modules, application)],
  ];
}

function jest(root, modules, application) {
  const folder = project(application, 'jest', ['package.test.cjs', 'jsdom.test.cjs']);
  for (const [i, text] of blocks(root, 'docs/test-runners.md', 'js jest').entries())
    writeFileSync(join(folder, `guide-${i}.test.cjs`), text);
  writeFileSync(join(folder, 'readme.test.cjs'), firstTest(root, { format: 'require' }));
  const testEnvironment = join(modules, 'jest-environment-jsdom/build/index.js');
  const projects = [
    { testMatch: ['**/{package,readme,guide-*}.test.cjs'] },
    { testMatch: ['**/jsdom.test.cjs'], testEnvironment },
  ].map((one) => ({ ...one, rootDir: folder, moduleFileExtensions: ['cjs', 'js', 'json'] }));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ jest: { projects } }));
  const args = ['--rootDir', folder, '--runInBand', '--json'];
  return testsOf(join(modules, 'jest/bin/jest.js'), args, folder);
}

function vitest(root, modules, application) {
  const folder = project(application, 'vitest', ['dom.test.mjs', 'projects.mjs']);
  writeFileSync(join(folder, 'readme.test.mjs'), firstTest(root, { runner: 'vitest' }));
  application.link('msw');
  link(modules, application, 'vitest', 'jsdom', 'happy-dom', 'axios');
  const args = ['run', '--root', folder, '--config', 'projects.mjs', '--reporter', 'json'];
  return testsOf(join(modules, 'vitest/vitest.mjs'), args, folder);
}

function project(application, name, files) {
  const folder = join(application.folder, `with-${name}`);
  for (const file of files) cpSync(join(import.meta.dirname, 'runners', file), join(folder, file));
  return folder;
}

/** Both runners report in the same form. */
async function testsOf(program, args, folder) {
  const output = join(folder, 'report.json');
  const { status, stderr } = await runProgram(
    process.execPath,
    [program, ...args, '--outputFile', output],
    { cwd: folder },
  );
  if (!existsSync(output)) throw new Error(`exit ${status}: ${stderr.slice(-4000)}`);
  const results = JSON.parse(readFileSync(output, 'utf8')).testResults.flatMap(
    ({ name: file, message, assertionResults }) =>
      assertionResults.length > 0
        ? assertionResults.map((result) => ({ file, ...result }))
        : [{ file, fullName: 'it runs', status: 'failed', failureMessages: [message] }],
  );
  const failures = results
    .filter(({ status }) => status !== 'passed')
    .map(({ file, fullName: name, failureMessages }) => ({
      ...{ file, name },
      error: failureMessages.join('\n'),
    }));
  // Such as an error that nothing caught.
  if (status !== 0 && failures.length === 0)
    failures.push({ file: folder, name: 'it exits with 0', error: stderr.slice(-4000) });
  return { claims: results.length, skipped: 0, failures };
}
