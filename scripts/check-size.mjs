import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

// What an application ships: the built entry, bundled, minified and gzipped as one, without peers.
// Chunks behind a dynamic import are not counted, for they load only when they are used: streaming, waiting,
// `client.http` and the log. What a bundler that cannot split ships is printed beside, without a budget.
const root = fileURLToPath(new URL('..', import.meta.url));
const budgets = [
  { name: 'client', code: "export { ContentGen } from './dist/index.js'", kB: 10 },
  { name: 'client, everything', code: "export * from './dist/index.js'", kB: 10.2 },
  { name: 'client, in one file', code: "export * from './dist/index.js'", splitting: false },
  { name: 'verify only', code: "export { verifyWebhook } from './dist/webhooks.js'", kB: 3 },
  { name: 'handler', code: "export { createWebhookHandler } from './dist/webhooks.js'", kB: 5 },
  { name: 'webhooks, everything', code: "export * from './dist/webhooks.js'", kB: 6.5 },
  { name: 'webhooks/node', code: "export * from './dist/webhooks/node.js'", kB: 2 },
  { name: 'webhooks/redis', code: "export * from './dist/webhooks/redis.js'", kB: 1.5 },
  { name: 'webhooks/postgres', code: "export * from './dist/webhooks/postgres.js'", kB: 2 },
  { name: 'testing', code: "export * from './dist/testing.js'", kB: 7.5 },
  { name: 'schemas (zod outside)', code: "export * from './dist/schemas.js'", kB: 3.5 },
  { name: 'node', code: "export * from './dist/node.js'", kB: 115 },
  { name: 'mock', code: "export * from './dist/mock/index.js'", kB: 70 },
  { name: 'mock/remote', code: "export * from './dist/mock/remote.js'", kB: 2 },
  { name: 'mock/http', code: "export * from './dist/mock/http.js'", kB: 20 },
];

/** The dashboard's page with all its assets, gzipped. */
const dashboardBudget = 120;

const folder = mkdtempSync(join(tmpdir(), 'contentgen-size-'));
try {
  for (const { name, code, kB, splitting = true } of budgets) {
    report(name, await bundledBytes(code, splitting), kB);
  }
  report('dashboard', dashboardBytes(), dashboardBudget);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(name, bytes, budget) {
  const over = budget !== undefined && bytes > budget * 1000;
  if (over) process.exitCode = 1;
  const limit = budget === undefined ? '' : `of ${String(budget).padStart(3)}`;
  const figures = `${(bytes / 1000).toFixed(2).padStart(8)} kB ${limit.padEnd(6)}`;
  console.log(`${over ? 'FAIL' : 'ok  '} ${figures}  ${name}`);
}

function dashboardBytes() {
  const files = globSync('dist/mock/dashboard/**/*.{html,js,css,svg}', { cwd: root });
  if (files.length === 0) throw new Error('dist/mock/dashboard is missing');
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(root, file))).length, 0);
}

async function bundledBytes(code, splitting) {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    splitting,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: ['node:*', 'msw', 'msw/*', 'zod', 'zod/*'],
    minify: true,
    metafile: true,
    outdir: folder,
    legalComments: 'none',
    logLevel: 'error',
  });
  const outputs = Object.entries(metafile.outputs);
  const entry = outputs.find(([, output]) => output.entryPoint === '<stdin>');
  const seen = new Set([entry[0]]);
  for (const path of seen) {
    for (const imported of metafile.outputs[path].imports) {
      if (imported.kind === 'import-statement' && !imported.external) seen.add(imported.path);
    }
  }
  const files = [...seen].map((path) => readFileSync(join(process.cwd(), path)));
  return gzipSync(Buffer.concat(files)).length;
}
