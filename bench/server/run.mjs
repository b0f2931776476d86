// CPU per request, startup time and memory of the standalone server and its competitors, and the cost of a data file.
// npm run build && npm ci --prefix bench/server && node bench/server/run.mjs [--quick] [--only=contentgen]
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { median } from '../turns.ts';

const CLIENTS = 50;
const TICKS_PER_SECOND = 100;
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice(7)
  .split(',');
const rounds = process.argv.includes('--quick') ? 1 : 3;

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'contentgen-bench-'));
const mock = [
  join(root, 'dist/mock/cli.js'),
  'mock',
  '--json',
  '--clock',
  'manual',
  '--quota',
  '9007199254740991',
];
const database = join(scratch, 'db.json');
writeFileSync(database, JSON.stringify({ usage: { used: 0, quota: 1000 }, generate: [] }));

const generate = {
  path: '/api/ai/content/generate',
  method: 'POST',
  body: '{"prompt":"A haiku about TCP"}',
};
const usage = { path: '/api/usage', method: 'GET' };

/** The command, the calls if they differ, and the output that means it is ready. */
const servers = {
  'node:http': { command: (port) => [join(here, 'bare.mjs'), port], ready: /ready/ },
  contentgen: { command: (port) => [...mock, '--port', port], ready: /adminKey/ },
  'contentgen --data': {
    command: (port) => [...mock, '--port', port, '--data', join(scratch, `${randomUUID()}.db`)],
    ready: /adminKey/,
  },
  'json-server': {
    command: (port) => [
      join(here, 'node_modules/json-server/lib/cli/bin.js'),
      ...['--port', port, '--host', '127.0.0.1', '--quiet', database],
    ],
    calls: { get: { ...usage, path: '/usage' }, post: undefined },
  },
  '@mswjs/http-middleware': {
    command: (port) => [join(here, 'http-middleware.mjs'), port],
    ready: /ready/,
    requests: 1500,
  },
  Prism: {
    command: (port) => [
      join(here, 'node_modules/@stoplight/prism-cli/dist/index.js'),
      ...['mock', '--errors', '--port', port, '--host', '127.0.0.1', join(root, 'openapi.yaml')],
    ],
    ready: /listening/,
    requests: 1500,
  },
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function responds(url) {
  for (;;) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

async function start({ command, ready }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = performance.now();
  // Standard error, with the log, is discarded: logging costs a write but no disk access.
  const child = spawn(process.execPath, command(port), { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${command(port)[0]} exited with ${code}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (ready?.test(output)) resolve();
    });
    if (!ready) responds(url).then(resolve, reject);
  });
  const readyMs = performance.now() - started;
  const apiKey = /"adminKey":"(\w+)"/.exec(output)?.[1] ?? 'cg_test_any';
  return { child, url, apiKey, readyMs };
}

function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function residentMegabytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

async function drive(pool, call, apiKey, count) {
  let left = count;
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (left > 0) {
        left -= 1;
        const { statusCode, body } = await pool.request({ ...call, headers });
        const text = await body.text();
        if (statusCode >= 300) throw new Error(`${call.path}: ${statusCode} ${text.slice(0, 200)}`);
      }
    }),
  );
}

async function measure(name) {
  const server = servers[name];
  const { child, url, apiKey, readyMs } = await start(server);
  child.removeAllListeners('exit');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const idleMb = residentMegabytes(child.pid);
  const pool = new Pool(url, { connections: CLIENTS });
  const result = { readyMs, idleMb };
  const calls = server.calls ?? { get: usage, post: generate };
  try {
    for (const [kind, call] of Object.entries(calls)) {
      if (!call) continue;
      const count = server.requests ?? 10_000;
      await drive(pool, call, apiKey, Math.ceil(count / 2));
      const [cpu, time] = [cpuSeconds(child.pid), performance.now()];
      await drive(pool, call, apiKey, count);
      const seconds = (performance.now() - time) / 1000;
      result[kind] = {
        microseconds: ((cpuSeconds(child.pid) - cpu) / count) * 1e6,
        perSecond: count / seconds,
      };
    }
  } finally {
    await pool.destroy();
    child.kill();
    await new Promise((resolve) => child.once('close', resolve));
  }
  return result;
}

const results = {};
for (let round = 0; round < rounds; round += 1) {
  for (const name of only ?? Object.keys(servers)) {
    try {
      results[name] = [...(results[name] ?? []), await measure(name)];
    } catch (error) {
      console.error(`${name}: ${error.message}`);
    }
  }
}
rmSync(scratch, { recursive: true, force: true });

const of = (name, pick) => median((results[name] ?? []).map(pick));
const ratioOf = (name, pick) => Number((of(name, pick) / of('node:http', pick)).toFixed(2));
const cost = (kind) => (result) => result[kind]?.microseconds ?? Number.NaN;
const table = Object.keys(servers)
  .filter((name) => results[name]?.length)
  .map((name) => ({
    server: name,
    'GET µs': Math.round(of(name, cost('get'))),
    'GET ratio': ratioOf(name, cost('get')),
    'POST µs': Math.round(of(name, cost('post'))),
    'POST ratio': ratioOf(name, cost('post')),
    'POST/s, 50 clients': Math.round(of(name, ({ post }) => post?.perSecond ?? Number.NaN)),
    'ready ms': Math.round(of(name, ({ readyMs }) => readyMs)),
    'idle MB': Math.round(of(name, ({ idleMb }) => idleMb)),
  }));
console.table(table);

const row = (name) => table.find(({ server }) => server === name);
const ours = row('contentgen');
const claims = [
  ['GET costs at most 2.2 times a bare node:http server', ours['GET ratio'] <= 2.2],
  ['POST generate costs at most 3.2 times a bare node:http server', ours['POST ratio'] <= 3.2],
  [
    'throughput with a data file is at least 40 % of that without',
    row('contentgen --data')['POST/s, 50 clients'] >= 0.4 * ours['POST/s, 50 clients'],
  ],
  ['idle memory is at most 90 MB', ours['idle MB'] <= 90],
  ['ready within 400 ms', ours['ready ms'] <= 400],
  ...(row('Prism')
    ? [
        [
          'POST generate costs at most a fifth of what it costs Prism',
          row('Prism')['POST µs'] >= 5 * ours['POST µs'],
        ],
      ]
    : []),
];
for (const [claim, holds] of claims) console.log(`${holds ? 'ok ' : 'NO '} ${claim}`);
if (claims.some(([, holds]) => !holds)) process.exitCode = 1;
