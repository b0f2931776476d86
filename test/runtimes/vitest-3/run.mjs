import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../processes.mjs';
import { firstTest } from '../snippets.mjs';
import { link } from '../stores.mjs';

const project = fileURLToPath(new URL('./project', import.meta.url));

/** A project of Vitest 3 with the packed package: README's first test, pages in jsdom, and the globals of React Native. */
export async function vitest3(root, modules, application) {
  const folder = join(application.folder, 'vitest-3');
  cpSync(project, folder, { recursive: true });
  for (const environment of ['node', 'jsdom'])
    writeFileSync(
      join(folder, `readme.${environment}.test.mjs`),
      firstTest(root, { runner: 'vitest' }),
    );
  link(modules, application, 'vitest', 'jsdom', 'whatwg-fetch', 'esbuild');
  const vitest = join(modules, 'vitest/vitest.mjs');
  const { status, stdout, stderr } = await runProgram(
    process.execPath,
    [vitest, 'run', '--root', folder, '--reporter', 'json'],
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
