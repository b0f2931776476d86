import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installPackage } from '../package/installed.ts';
import { frontEnd } from './front-end.mjs';
import { nextExample, nextOn } from './next.mjs';
import { nodeFrameworks } from './node.mjs';
import { svelteKit } from './sveltekit.mjs';

// Builds and calls real applications with the packed package: `node run.mjs`, or `node run.mjs 'Next.js 16'`. The
// last line is `N passed, N failed, N skipped`; with CONTENTGEN_COUNTS the counts and the failures go to that file
// instead, for `.ci/run`.
const here = fileURLToPath(new URL('.', import.meta.url));
const [, , wanted = ''] = process.argv;
const application = installPackage();
const totals = { passed: 0, failed: 0, skipped: 0 };
const notes = [];
const installed = new Set();

try {
  const dist = join(application.folder, 'node_modules/contentgen/dist');
  const testing = await import(pathToFileURL(join(dist, 'testing.js')).href);
  const next = (folder) => () => nextOn(folder, application.folder, testing);
  const checks = [
    ['Next.js 14', 'next-14', next],
    ['Next.js 16', 'next-16', next],
    [
      'Next.js example',
      'next-16',
      (folder) => () => nextExample(folder, application.folder, testing),
    ],
    ['SvelteKit', 'sveltekit', (folder) => () => svelteKit(folder, application.folder, testing)],
    ['Front end', 'front-end', (folder) => () => frontEnd(folder, application.folder)],
    ['Node frameworks', 'node', (folder) => () => nodeFrameworks(folder, dist, testing)],
  ].filter(([name]) => name.startsWith(wanted));
  for (const [name, place, prepare] of checks) {
    const folder = join(here, place);
    const start = performance.now();
    if (!installed.has(place))
      execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    installed.add(place);
    const { claims, failures } = await prepare(folder)();
    totals.passed += claims - failures.length;
    totals.failed += failures.length;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(
      `${failures.length > 0 ? 'FAILED' : 'ok'} ${name}: ${claims} claims (${seconds} s)`,
    );
    for (const { name: claim, error } of failures) {
      console.log(`  ${claim}\n      ${error}`);
      notes.push(`${name} > ${claim}: ${error.split('\n', 1)[0].slice(0, 200)}`);
    }
  }
} finally {
  application.remove();
}

const { CONTENTGEN_COUNTS: countsFile } = process.env;
if (countsFile)
  writeFileSync(countsFile, `${Object.values(totals).join(' ')}\n${notes.join('\n')}\n`);
else console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed > 0 ? 1 : 0);
