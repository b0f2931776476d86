import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EdgeVM } from '@edge-runtime/vm';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { clientEntries, mockEntries, specifier } from '../../scripts/entries.ts';
import { installPackage } from '../package/installed.ts';
import { honoExample } from './hono-example.mjs';
import { jestOf } from './jest.mjs';
import { compileWith } from './old-compiler.mjs';

// Tries the packed package on each runtime. The last line is `N passed, N failed, N skipped`.
const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const modules = join(here, 'node_modules');
const application = installPackage();
const totals = { passed: 0, failed: 0, skipped: 0 };

try {
  application.write('conformance.mjs', readFileSync(join(here, 'conformance.mjs'), 'utf8'));
  const main = `const result = JSON.stringify(await conformance());
    console.log(result); globalThis.process?.exit?.();`;
  application.write('main.mjs', `import { conformance } from './conformance.mjs';\n${main}`);
  application.write('edge.mjs', "export { conformance } from './conformance.mjs';");
  application.write(
    'worker.mjs',
    `import { conformance } from './conformance.mjs';
    export default { fetch: async () => Response.json(await conformance()) };`,
  );
  application.write('main.cjs', commonJs(main));

  for (const version of ['20.19', '22.13', '24']) {
    const node = join(modules, `node-${version}`, 'bin/node');
    await report(`Node ${version}`, existsSync(node) && (() => run(node, 'main.mjs')));
    await report(`Node ${version}, CommonJS`, existsSync(node) && (() => run(node, 'main.cjs')));
  }
  await report('Node as pinned', () => run(process.execPath, 'main.mjs'));
  await report('Bun', () => run(join(modules, '.bin/bun'), 'main.mjs'));
  const deno = ['run', '-A', '--node-modules-dir=manual', '--no-lock', 'main.mjs'];
  await report('Deno', () => run(join(modules, '.bin/deno'), ...deno));
  await report('workerd', () => inWorkerd([]));
  await report('workerd with nodejs_compat', () => inWorkerd(['nodejs_compat']));
  await report('edge runtime', inEdgeRuntime);
  await report('the Hono example on workerd', () => honoExample(root, application, startWorker));
  await report('Jest', () => jestOf(root, modules, application));
  await report('TypeScript 5.4', () => {
    const entries = Object.keys({ ...clientEntries, ...mockEntries }).map(specifier);
    application.link('zod', 'msw', '@types/node', 'undici-types');
    return compileWith(join(modules, 'typescript-5.4/bin/tsc'), application, entries);
  });
} finally {
  application.remove();
}

console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(totals.failed > 0 ? 1 : 0);

function run(command, ...args) {
  const options = { cwd: application.folder, encoding: 'utf8', timeout: 60_000 };
  return JSON.parse(execFileSync(command, args, options).trim().split('\n').at(-1));
}

async function inWorkerd(compatibilityFlags) {
  const script = await bundle('worker.mjs', 'esm');
  const settings = { compatibilityDate: '2026-07-01', compatibilityFlags };
  const worker = new Miniflare({ modules: true, script, ...settings });
  try {
    return await (await worker.dispatchFetch('http://localhost/')).json();
  } finally {
    await worker.dispose();
  }
}

async function startWorker(entry, bindings) {
  const script = await bundle(entry, 'esm');
  return new Miniflare({ modules: true, script, bindings, compatibilityDate: '2026-07-01' });
}

async function inEdgeRuntime() {
  const script = await bundle('edge.mjs', 'iife');
  const vm = new EdgeVM();
  vm.evaluate(script);
  return vm.evaluate('bundled.conformance()');
}

/** The same as CommonJS; the mock is an ES module alone, which every Node reaches with import(). */
function commonJs(main) {
  const source = readFileSync(join(here, 'conformance.mjs'), 'utf8')
    .replace(/^import \{ createMockServer \} from .*$/m, 'let createMockServer;')
    .replace(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = require($2);')
    .replace('export async function', 'async function');
  return `${source}
    (async () => {
      ({ createMockServer } = await import('contentgen/mock'));
      ${main}
    })();`;
}

async function bundle(entry, format) {
  const { outputFiles } = await build({
    absWorkingDir: application.folder,
    entryPoints: [entry],
    bundle: true,
    format,
    globalName: 'bundled',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['worker', 'import'],
    external: ['node:*'],
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

async function report(name, check) {
  if (!check) {
    totals.skipped++;
    console.log(`skipped ${name}: not on this platform`);
    return;
  }
  try {
    const { claims, failures } = await check();
    const failed = Object.entries(failures);
    totals.passed += claims - failed.length;
    totals.failed += failed.length;
    console.log(`${failed.length === 0 ? 'ok     ' : 'FAILED '} ${name}: ${claims} claims`);
    for (const [claim, reason] of failed) console.error(`  ${claim}\n    ${reason}`);
  } catch (error) {
    totals.failed++;
    console.log(`FAILED  ${name}`);
    console.error(error);
  }
}
