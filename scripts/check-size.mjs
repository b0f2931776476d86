import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

// Checks the size of what users ship and install; run `npm run build` first. Each entry is bundled into one file
// without its peers, minified and gzipped. Code that loads later counts too, except for the chunks under `later`.
const root = fileURLToPath(new URL('..', import.meta.url));
const diagnosis = ['./diagnose-*.js', '../diagnose-*.js'];

/** The budgets. To raise one, change it here and say in `reason` what the size buys. */
const budgets = [
  {
    name: 'client',
    code: "export { ContentGen } from './dist/index.js'",
    kB: 19.4,
    reason:
      'everything that a call can need, in one file; comparable clients: 20 to 106 kB. The goal was 14. It has ' +
      '2.4 kB of openapi-fetch, 1.1 kB for client.http, 4.8 kB for attempts, retries and time limits, 3.3 kB for options ' +
      'and their mistakes, by rules that all entries share, 1.5 kB for errors, 0.8 kB for the reasons of failed connections, 1.4 kB for pacing, 1.2 kB ' +
      'for streams, 1.3 kB for generations and waits, 1.5 kB for lists, other resources, routes and the log; 1.9 kB of ' +
      'all that is message text',
  },
  {
    name: 'client, everything',
    code: "export * from './dist/index.js'",
    kB: 19.8,
    reason: 'the client and every error class',
  },
  {
    name: 'verifyWebhook',
    code: "export { verifyWebhook } from './dist/webhooks.js'",
    later: diagnosis,
    kB: 6.9,
    reason:
      'runs in workers and on the edge; only development needs the diagnosis. The goal was 5: 0.6 kB explain what is ' +
      'wrong with a secret, 0.3 kB name unknown options, and 0.8 kB are other texts for mistakes and rejections',
  },
  {
    name: 'createWebhookHandler',
    code: "export { createWebhookHandler } from './dist/webhooks.js'",
    later: diagnosis,
    kB: 10.9,
    reason:
      'the verifier, dispatch to callbacks, deduplication in memory, and waiting for results. The goal was 7: ' +
      '2.2 kB explain what is wrong and which event type was meant, 0.5 kB put deliveries on a queue, 1 kB limits a ' +
      'store that hangs and writes marks after the response, 0.1 kB rejects a wait that could never end',
  },
  {
    name: 'webhooks, everything',
    code: "export * from './dist/webhooks.js'",
    kB: 17.7,
    reason:
      'the handler, the processor behind a queue, the diagnosis, signing, and the order of events; 0.3 kB name mistakes in ' +
      'signals, waits and numbers',
  },
  {
    name: 'webhooks/node',
    code: "export * from './dist/webhooks/node.js'",
    later: diagnosis,
    kB: 3.1,
    reason:
      'adapters only: the handler is passed in. 0.3 kB are shared with the verifier, in the same file',
  },
  {
    name: 'webhooks/redis',
    code: "export * from './dist/webhooks/redis.js'",
    kB: 3.2,
    reason:
      'a few scripts, for deliveries and for results that other processes wait for; the Redis client is passed in',
  },
  {
    name: 'webhooks/postgres',
    code: "export * from './dist/webhooks/postgres.js'",
    kB: 5.4,
    reason:
      'a few statements, the batches that make concurrent deliveries share them, and results that other processes wait ' +
      'for; the database client is passed in',
  },
  {
    name: 'webhooks/graphile-worker, pg-boss, bullmq',
    code: "export * from './dist/webhooks/graphile-worker.js'; export * from './dist/webhooks/pg-boss.js'; export * from './dist/webhooks/bullmq.js'",
    kB: 4,
    reason: 'adapters only: the queue is passed in',
  },
  {
    name: 'testing',
    code: "export * from './dist/testing.js'",
    kB: 10.5,
    reason:
      'signing, sample events and the audit; never shipped to production. 1.2 kB explain which option is unknown, what ' +
      'is wrong with a secret, and why a receiver accepts nothing',
  },
  {
    name: 'otel',
    code: "export * from './dist/otel.js'",
    kB: 3.3,
    reason: 'spans of calls and callbacks; the API of OpenTelemetry is a peer',
  },
  {
    name: 'schemas',
    code: "export * from './dist/schemas.js'",
    kB: 3.5,
    reason: 'every schema of the contract; zod is a peer',
  },
  {
    name: 'node',
    code: "export * from './dist/node.js'",
    kB: 115,
    reason: "undici's dispatchers, bundled",
  },
  {
    name: 'mock',
    code: "export * from './dist/mock/index.js'",
    kB: 201,
    reason: 'tests only: the whole service, with undici, jose and zod bundled',
  },
  {
    name: 'mock/http',
    code: "export * from './dist/mock/http.js'",
    kB: 80,
    reason: 'Node only: the server, its pages and the transport of deliveries, undici bundled',
  },
  {
    name: 'simulate',
    code: "export * from './dist/mock/simulate.js'",
    kB: 253,
    reason:
      'tests only, never in an application. 199 kB are the reference server (the row `mock`), 19 kB the client, which every run ' +
      'makes for the application, 17 kB the part of fast-check that reduces a failing run, 15 kB the simulation itself: ' +
      'steps, disks, stand-ins of both stores, trace and report',
  },
  {
    name: 'mock/remote',
    code: "export * from './dist/mock/remote.js'",
    kB: 2.4,
    reason: 'a thin client of the control API; 0.3 kB of it is for search and resending',
  },
];

const others = [
  {
    name: 'dashboard, first load',
    bytes: firstLoadBytes,
    kB: 70,
    reason:
      'appears at once, even over a slow connection; the signature verifier loads when it is used',
  },
  {
    name: 'installed',
    bytes: installedBytes,
    kB: 4000,
    reason:
      'npm install stays quick. 0.2 MB of it is pg, so that the command needs no driver for PostgreSQL; ' +
      '0.1 MB is the simulation with the part of fast-check that reduces a failing run, and 0.5 MB the simulation again for ' +
      'require(), with the server in it, because Jest without flags cannot load ES modules',
  },
];

let over = 0;
for (const budget of budgets) report(budget, await bundledBytes(budget));
for (const budget of others) report(budget, budget.bytes());
if (over > 0) {
  console.error(
    `\n${over} over budget. Make it smaller, or raise the budget in scripts/check-size.mjs in the same change and give the reason there.`,
  );
  process.exitCode = 1;
}

function report({ name, kB, reason }, bytes) {
  const left = kB - bytes / 1000;
  const size = `${(bytes / 1000).toFixed(2).padStart(8)} of ${kB.toFixed(1).padStart(6)} kB`;
  if (left >= 0) {
    console.log(`ok   ${size}  ${left.toFixed(2).padStart(6)} left  ${name}: ${reason}`);
    return;
  }
  over += 1;
  console.log(`FAIL ${size}  ${(-left).toFixed(2).padStart(6)} over  ${name}: ${reason}`);
}

/** The size of an application's code in one file, minified and gzipped. */
async function bundledBytes({ code, later = [] }) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    external: [
      'node:*',
      'msw',
      'msw/*',
      'zod',
      'zod/*',
      '@opentelemetry/api',
      '@sinonjs/fake-timers',
      '@electric-sql/pglite',
      ...later,
    ],
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
  });
  return gzipSync(outputFiles[0].contents).length;
}

/** The dashboard's page and the assets it references, gzipped: everything that loads before it is visible. */
function firstLoadBytes() {
  const folder = join(root, 'dist/mock/dashboard');
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => path);
  if (named.length === 0)
    throw new Error('Failed to find the assets of dist/mock/dashboard. Run npm run build.');
  return ['index.html', ...named].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length,
    0,
  );
}

/** What `npm install contentgen` adds to a project. */
function installedBytes() {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [packed] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }));
  const dependencies = globSync('node_modules/{openapi-fetch,openapi-typescript-helpers}/**/*', {
    cwd: root,
  }).map((path) => statSync(join(root, path)));
  return dependencies
    .filter((file) => file.isFile())
    .reduce((sum, { size }) => sum + size, packed.unpackedSize);
}
