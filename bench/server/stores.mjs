// What a request costs a bare node:http server, and the standalone server in memory and with a data file. All run at
// the same time and take turns in short slices, so that a busy machine slows all of them alike.
// npm run build && node bench/server/stores.mjs [--quick] [--source]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';

const CLIENTS = 50;
const SLICE = 1000;
const WARM_UP = 6;
const slices = process.argv.includes('--quick') ? 10 : 30;
const TICK_MS = 10;

const here = fileURLToPath(new URL('.', import.meta.url));
const source = process.argv.includes('--source');
const cli = join(here, '../..', source ? 'mock-server/cli/index.ts' : 'dist/mock/cli.js');
const scratch = mkdtempSync(join(tmpdir(), 'contentgen-bench-'));

// No log: the bare server writes none either.
const mock = [cli, 'mock', '--json', '--log', 'none', '--clock', 'manual'];
const quota = ['--quota', '9007199254740991'];
const commands = {
  'node:http': (port) => [join(here, 'bare.mjs'), port],
  memory: (port) => [...mock, ...quota, '--port', port],
  file: (port) => [...mock, ...quota, '--port', port, '--data', join(scratch, 'file.db')],
};
const calls = {
  GET: { path: '/api/usage', method: 'GET' },
  POST: {
    path: '/api/ai/content/generate',
    method: 'POST',
    body: '{"prompt":"A haiku about TCP"}',
  },
};

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function start(name) {
  const port = await freePort();
  const args = ['--no-warnings', ...commands[name](port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const apiKey = /"adminKey":"(\w+)"/.exec(line)?.[1] ?? 'none';
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CLIENTS });
  return { name, child, apiKey, pool };
}

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return { user: Number(fields[11]) * TICK_MS, system: Number(fields[12]) * TICK_MS };
}

async function drive({ pool, apiKey }, call) {
  let left = SLICE;
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({ ...call, headers });
      const text = await body.text();
      if (statusCode >= 300) throw new Error(`${call.path}: ${statusCode} ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, one));
}

async function measure(servers, call) {
  const rates = Object.fromEntries(servers.map(({ name }) => [name, []]));
  for (let slice = -WARM_UP; slice < 0; slice += 1) {
    for (const server of servers) await drive(server, call);
  }
  const before = servers.map(({ child }) => cpuOf(child.pid));
  for (let slice = 0; slice < slices; slice += 1) {
    for (const server of servers) {
      const startedAt = performance.now();
      await drive(server, call);
      rates[server.name].push(SLICE / ((performance.now() - startedAt) / 1000));
    }
  }
  const microseconds = 1000 / (slices * SLICE);
  return Object.fromEntries(
    servers.map(({ name, child }, index) => {
      const after = cpuOf(child.pid);
      const user = (after.user - before[index].user) * microseconds;
      const system = (after.system - before[index].system) * microseconds;
      return [name, { cpu: user + system, user, rates: rates[name] }];
    }),
  );
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
/** The median, over all slices, of one server's rate to the other's. */
const rateRatio = (a, b) => median(a.rates.map((rate, index) => rate / b.rates[index]));

const servers = [];
for (const name of Object.keys(commands)) servers.push(await start(name));
const results = {};
try {
  for (const [kind, call] of Object.entries(calls)) results[kind] = await measure(servers, call);
} finally {
  for (const { pool, child } of servers) {
    await pool.destroy();
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  rmSync(scratch, { recursive: true, force: true });
}

const fixed = (value, digits) => Number(value.toFixed(digits));
for (const [kind, byName] of Object.entries(results)) {
  console.log(`${kind}, ${CLIENTS} at once`);
  console.table(
    Object.entries(byName).map(([name, result]) => ({
      server: name,
      'CPU µs': fixed(result.cpu, 1),
      'of which user': fixed(result.user, 1),
      'CPU / node:http': fixed(result.cpu / byName['node:http'].cpu, 2),
      'per second': Math.round(median(result.rates)),
      'rate / memory': fixed(rateRatio(result, byName.memory), 2),
    })),
  );
}

const { GET, POST } = results;
const costs = ({ memory, 'node:http': bare }) => memory.cpu / bare.cpu;
const claims = [
  ['GET costs at most 2.2 times a bare node:http server', costs(GET) <= 2.2],
  ['POST generate costs at most 3.2 times a bare node:http server', costs(POST) <= 3.2],
  ['a data file keeps at least 90 % of the rate', rateRatio(POST.file, POST.memory) >= 0.9],
];
for (const [claim, holds] of claims) console.log(`${holds ? 'ok ' : 'NO '} ${claim}`);
if (claims.some(([, holds]) => !holds)) process.exitCode = 1;
