import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../processes.mjs';
import { firstTest } from '../snippets.mjs';
import { link } from '../stores.mjs';

const project = fileURLToPath(new URL('./project', import.meta.url));

/** The versions of Vitest, under the names of their packages here, and the files that each runs. */
const versions = [
  ['Vitest 2, with its fake timers', 'vitest-2', 'fake-timers'],
  ['Vitest 3, with jsdom and as React Native', 'vitest', ''],
];

/** A project of each Vitest with the packed package: README's first test, fake timers, jsdom, the globals of React Native. */
export const vitestChecks = (root, modules, application) =>
  versions.map(([title, version, filter]) => [
    title,
    () => runVersion(root, modules, application, version, filter),
  ]);

async function runVersion(root, modules, application, version, filter) {
  const folder = join(application.folder, `project-${version}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(project, folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(modules, version), join(folder, 'node_modules/vitest'));
  for (const environment of ['node', 'jsdom'])
    writeFileSync(
      join(folder, `readme.${environment}.test.mjs`),
      firstTest(root, { runner: 'vitest' }),
    );
  link(modules, application, 'jsdom', 'whatwg-fetch', 'esbuild');
  const { status, stdout, stderr } = await runProgram(
    process.execPath,
    [
      join(modules, version, 'vitest.mjs'),
      'run',
      filter,
      '--root',
      folder,
      '--reporter',
      'json',
    ].filter(Boolean),
    { cwd: folder },
  );
  const report = stdout.slice(stdout.indexOf('{'));
  if (!report) throw new Error(`exit ${status}: ${stderr.slice(-4000)}`);
  const results = JSON.parse(report).testResults.flatMap(
    ({ name: file, message, assertionResults }) =>
      assertionResults.length > 0
        ? assertionResults.map((result) => ({ file, ...result }))
        : [{ file, fullName: 'it runs', status: 'failed', failureMessages: [message] }],
  );
  const failures = results
    .filter(({ status }) => status !== 'passed')
    .map(({ file, fullName, failureMessages }) => ({
      file,
      name: fullName,
      error: failureMessages.join('\n'),
    }));
  return { claims: results.length, skipped: 0, failures };
}
