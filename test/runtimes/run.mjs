import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientEntries, mockEntries, specifier } from '../../scripts/entries.ts';
import { installPackage } from '../package/installed.ts';
import { queueExample } from './examples.mjs';
import { hermes } from './hermes/run.mjs';
import { compileWith } from './old-compiler.mjs';
import { reactiveState } from './reactive.mjs';
import { runnerChecks } from './runners.mjs';
import { sharedIsolate } from './shared-isolate.mjs';
import { sameTraces } from './simulation.mjs';
import { firstTestOnNode } from './snippets.mjs';
import { suiteOn } from './suite.mjs';

// Tests the packed package on each runtime: `node run.mjs`, or `node run.mjs Deno` for the runtimes
// whose names start with that word. The last line is `N passed, N failed, N skipped`; with
// CONTENTGEN_COUNTS the counts and the failures go to that file instead, for `.ci/run`.
const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = fileURLToPath(new URL('./node_modules', import.meta.url));
const [, , wanted = ''] = process.argv;
const notes = [];
const totals = { passed: 0, failed: 0, skipped: 0 };
const application = installPackage();

try {
  const checks = [
    ['TypeScript 5.4', oldCompiler],
    ...(await suiteOn(modules, application)),
    ['the example of Cloudflare Queues on workerd', () => queueExample(root, application)],
    ['one client for all requests of a Worker', () => sharedIsolate(application)],
    ['reactive state of Vue and MobX', () => reactiveState(modules, application)],
    ['the simulation on each Node', () => sameTraces(modules, application)],
    ["README's first test on each Node", () => firstTestOnNode(root, modules, application)],
    ...runnerChecks(root, modules, application),
    ['Hermes, as React Native compiles for it', hermes(modules, application)],
  ].filter(([name]) => name.startsWith(wanted));
  if (checks.length === 0) throw new Error(`No runtime has a name that starts with ${wanted}.`);
  const failed = [];
  await twoAtOnce(
    checks.map(([name, check]) => async () => {
      const result = await run(check);
      print(name, result);
      if (result.failures.length > 0) failed.push({ name, check, result });
      else count(name, result);
    }),
  );
  // A busy machine can fail a runtime once. Up to three run again, one at a time; a defect fails twice.
  for (const { name, check, result } of failed) {
    if (failed.length > 3) {
      count(name, result);
      continue;
    }
    const second = await run(check);
    print(name, second);
    count(name, second);
    if (second.failures.length === 0) notes.push(`passed when run again: ${name}`);
  }
} finally {
  application.remove();
}

const { CONTENTGEN_COUNTS: countsFile } = process.env;
if (countsFile)
  writeFileSync(countsFile, `${Object.values(totals).join(' ')}\n${notes.join('\n')}\n`);
else console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed > 0 ? 1 : 0);

function oldCompiler() {
  const entries = Object.keys({ ...clientEntries, ...mockEntries }).map(specifier);
  application.link('zod', 'msw', '@opentelemetry/api', '@types/node', 'undici-types');
  return compileWith(join(modules, 'typescript-5.4/bin/tsc'), application, entries);
}

async function twoAtOnce(tasks) {
  const left = [...tasks];
  const work = async () => {
    for (let task = left.shift(); task; task = left.shift()) await task();
  };
  await Promise.all([work(), work()]);
}

async function run(check) {
  if (!check) return { claims: 0, skipped: 1, failures: [], missing: true };
  const start = performance.now();
  const result = await Promise.try(check).catch((error) => ({
    claims: 1,
    skipped: 0,
    failures: [{ file: 'test/runtimes', name: 'it runs', error: String(error?.stack ?? error) }],
  }));
  return { ...result, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}

function count(name, { claims, skipped, failures }) {
  totals.passed += claims - failures.length;
  totals.failed += failures.length;
  totals.skipped += skipped;
  for (const { file, name: claim, error } of failures)
    notes.push(`${name}, ${file} > ${claim}: ${error.split('\n', 1)[0].slice(0, 200)}`);
}

function print(name, { claims, failures, missing, seconds }) {
  if (missing) {
    console.log(`skipped ${name}: not installed`);
    return;
  }
  console.log(
    `${failures.length > 0 ? 'FAILED ' : 'ok     '} ${name}: ${claims} claims (${seconds} s)`,
  );
  for (const failure of failures)
    console.log(`  ${name}, ${failure.file}\n    ${failure.name}\n      ${failure.error}`);
}
