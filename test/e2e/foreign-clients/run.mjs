import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackage } from '../../package/installed.ts';
import { contract } from './contract-calls.mjs';

// Makes clients and collections from openapi.yaml with third-party tools and runs them against the packed reference
// server: `node run.mjs`, or `node run.mjs Bruno`. The last line is `N passed, N failed, N skipped`; with
// CONTENTGEN_COUNTS the counts and the failures go to that file instead, for `.ci/run`.
const here = fileURLToPath(new URL('.', import.meta.url));
const [, , wanted = ''] = process.argv;
execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
  cwd: here,
  stdio: 'inherit',
});
const { startCheckedServer } = await import('./checked-server.mjs');
const { claimsOf } = await import('./claims.mjs');

const application = installPackage();
// Inside this folder, so that a generated client finds what it imports.
const generated = join(here, 'generated');
rmSync(generated, { recursive: true, force: true });
mkdirSync(generated);
const totals = { passed: 0, failed: 0, skipped: 0 };
const notes = [];
const server = await startCheckedServer({
  contract,
  folder: generated,
  command: join(application.folder, 'node_modules/contentgen/dist/mock/cli.js'),
  prism: join(here, 'node_modules/@stoplight/prism-cli/dist/index.js'),
});

try {
  for (const [name, run] of claimsOf(server, generated)) {
    if (!name.includes(wanted)) continue;
    const start = performance.now();
    await server.reset();
    server.take();
    const error = await run().then(
      () => undefined,
      (failure) => failure,
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${error ? 'FAILED' : 'ok'} ${name} (${seconds} s)`);
    if (!error) totals.passed += 1;
    else {
      totals.failed += 1;
      console.log(String(error.stack ?? error).replace(/^/gm, '    '));
      notes.push(`${name}: ${String(error).split('\n', 2).join(' ').slice(0, 200)}`);
    }
  }
} finally {
  await server.close();
  application.remove();
  rmSync(generated, { recursive: true, force: true });
}

const { CONTENTGEN_COUNTS: countsFile } = process.env;
if (countsFile)
  writeFileSync(countsFile, `${Object.values(totals).join(' ')}\n${notes.join('\n')}\n`);
else console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed > 0 ? 1 : 0);
