import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../processes.mjs';
import { firstTest } from '../snippets.mjs';
import { link } from '../stores.mjs';

const project = fileURLToPath(new URL('./project', import.meta.url));

/** The versions of Vitest, under the names of their packages here, and the files that each runs. */
const versions = [
  ['Vitest 2, with its fake timers and its jsdom', 'vitest-2', ['fake-timers', 'jsdom']],
  ['Vitest 5, with jsdom and happy-dom', 'vitest', []],
];

/** A project of each Vitest with the packed package: README's first test, fake timers, jsdom, happy-dom. */
export const vitestChecks = (root, modules, application) =>
  versions.map(([title, version, files]) => [
    title,
    () => runVersion(root, modules, application, version, files),
  ]);

async function runVersion(root, modules, application, version, files) {
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
  application.link('msw');
  link(modules, application, 'jsdom', 'axios');
  const output = join(folder, 'report.json');
  const reporter = ['--reporter', 'json', '--outputFile', output];
  const { status, stderr } = await runProgram(
    process.execPath,
    [join(modules, version, 'vitest.mjs'), 'run', ...files, '--root', folder, ...reporter],
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
    .map(({ file, fullName, failureMessages }) => ({
      file,
      name: fullName,
      error: failureMessages.join('\n'),
    }));
  // Such as an error that nothing caught.
  if (status !== 0 && failures.length === 0)
    failures.push({ file: version, name: 'it exits with 0', error: stderr.slice(-4000) });
  return { claims: results.length, skipped: 0, failures };
}
