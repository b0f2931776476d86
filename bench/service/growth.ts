// Whether calls stay as fast in a full server as in an empty one: node bench/service/growth.ts [--quick]
// A ratio is the median over rounds in which both take turns. "NO" marks what is not flat within a third.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { internalsOf } from '../../mock-server/composition/internals.ts';
import { serve, sqliteStore } from '../../mock-server/http/serve.ts';
import { createMockServer, type MockServer } from '../../mock-server/index.ts';
import { caller, type Filling, fullServer } from './full-server.ts';

const quick = process.argv.includes('--quick');
const rounds = quick ? 15 : 40;
const calls = 200;
const GENERATE = '/api/ai/content/generate';
const rows: string[] = [];

function report(
  what: string,
  small: string,
  large: string,
  ratio: number | undefined,
  fine = true,
) {
  const verdict = ratio === undefined ? '' : `${ratio.toFixed(2)}`;
  rows.push(`| ${what} | ${small} | ${large} | ${verdict}${fine ? '' : ' NO'} |`);
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function microseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) await work();
  return ((performance.now() - start) * 1000) / calls;
}

async function compare(what: string, onEmpty: () => unknown, onFull: () => unknown): Promise<void> {
  const times: { empty: number; full: number }[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const both = { empty: await microseconds(onEmpty), full: await microseconds(onFull) };
    if (round >= 0) times.push(both);
  }
  const ratio = median(times.map(({ empty, full }) => full / empty));
  const shown = (name: 'empty' | 'full') =>
    `${median(times.map((one) => one[name])).toFixed(1)} µs`;
  report(what, shown('empty'), shown('full'), ratio, ratio < 4 / 3);
}

/** The same calls on a server with one row and on one with many. */
async function growth(what: string, filling: Filling, requests: Record<string, Request>) {
  const empty = fullServer({});
  const full = fullServer(filling);
  const [onEmpty, onFull] = [caller(empty), caller(full)];
  for (const [name, [method, path, body]] of Object.entries(requests)) {
    const to = (mock: MockServer) =>
      path.replace(
        '{webhook}',
        internalsOf(mock).page.list('webhooks', { limit: 1 }).data[0]?.id ?? '',
      );
    const [emptyPath, fullPath] = [to(empty), to(full)];
    await compare(
      `${what}: ${name}`,
      () => onEmpty(method, emptyPath, body),
      () => onFull(method, fullPath, body),
    );
  }
  await Promise.all([empty.close(), full.close()]);
}

type Request = readonly [method: string, path: string, body?: string];
const generate: Request = ['POST', GENERATE, '{"prompt":"[[say: hi]]"}'];

await growth(
  '500 000 generations',
  { generations: 500_000 },
  {
    get: ['GET', `${GENERATE}/gen_01kd${'0'.repeat(22)}`],
    list: ['GET', `${GENERATE}?limit=1`],
    'list failed ones': ['GET', `${GENERATE}?status=failed&limit=1`],
    generate,
  },
);
await growth(
  '100 000 keys',
  { keys: 100_000 },
  {
    authenticate: ['GET', '/api/usage'],
    list: ['GET', '/api/auth/api-keys?limit=1'],
    create: ['POST', '/api/auth/api-keys', '{"name":"new"}'],
  },
);
await growth(
  '50 000 registrations for usage_threshold',
  { webhooks: 50_000 },
  {
    list: ['GET', '/api/webhooks?limit=1'],
    generate,
  },
);
await growth(
  '200 000 deliveries',
  { webhooks: 1, deliveries: 200_000 },
  {
    'list those of a registration': ['GET', '/api/webhooks/{webhook}/deliveries?limit=1'],
    'list failed ones': ['GET', '/api/webhooks/{webhook}/deliveries?limit=1&status=failed'],
  },
);

/** Milliseconds per pending delivery, to advance six days while every attempt fails. */
async function sixDays(pending: number): Promise<number> {
  const transport = () => Promise.resolve({ status: 503, snippet: '' });
  const mock = createMockServer({
    clock: 'manual',
    seed: 1,
    retention: { lines: 100_000 },
    deliveries: { transport },
  });
  const call = caller(mock);
  for (let number = 0; number < pending; number += 1) {
    await call(
      'POST',
      GENERATE,
      `{"prompt":"[[say: hi]]","webhookUrl":"https://dead.example/${number}"}`,
    );
  }
  const start = performance.now();
  await mock.clock.advance('6 days');
  const took = performance.now() - start;
  await mock.close();
  return took / pending;
}

const days: { few: number; many: number }[] = [];
for (let round = 0; round < 3; round += 1) {
  const many = await sixDays(10_000);
  let few = 0;
  for (let run = 0; run < 5; run += 1) few += (await sixDays(1000)) / 5;
  days.push({ few, many });
}
const few = median(days.map((round) => round.few));
const many = median(days.map((round) => round.many));
const daysRatio = median(days.map((round) => round.many / round.few));
report(
  '6 virtual days, per pending delivery: 1 000 and 10 000 of them',
  `${few.toFixed(2)} ms`,
  `${many.toFixed(2)} ms`,
  daysRatio,
  daysRatio < 4 / 3,
);

/** Size of the data file, and how long a restart takes, after keyed generations of 60 kB. */
async function keyed(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-bench-'));
  const path = join(folder, 'data.db');
  const text = 'word '.repeat(12_000);
  function* generator() {
    yield text;
    return { promptTokens: 1, completionTokens: 400 };
  }
  const store = sqliteStore(path);
  const mock = createMockServer({
    store,
    generator,
    clock: 'manual',
    retention: { count: 100 },
    quota: 1e12,
  });
  const call = caller(mock);
  for (let number = 0; number < count; number += 1) {
    await call('POST', GENERATE, '{"prompt":"x","maxTokens":16000}', {
      'idempotency-key': String(number),
    });
  }
  await internalsOf(mock).flushed();
  await mock.close();
  store.close();
  const { size } = statSync(path);
  const start = performance.now();
  sqliteStore(path).close();
  const opened = performance.now() - start;
  rmSync(folder, { recursive: true });
  return { size, opened };
}

const [once, often] = [await keyed(400), await keyed(4000)];
const shown = ({ size, opened }: typeof once) =>
  `${(size / 1e6).toFixed(1)} MB, opens in ${opened.toFixed(0)} ms`;
report(
  '400 and 4 000 keyed generations of 60 kB, 100 kept',
  shown(once),
  shown(often),
  often.size / once.size,
  often.size < 2 * once.size,
);

/** How much the process grows while readers of the event stream do not read. */
async function silentReaders(readers: number): Promise<number> {
  const mock = createMockServer({ clock: 'manual', quota: 1e12, retention: { lines: 100 } });
  const served = await serve(mock, { port: 0 });
  const { port } = new URL(served.url);
  const sockets = Array.from({ length: readers }, () => {
    const socket = connect(Number(port), '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write('GET /_control/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const before = process.memoryUsage.rss();
  const call = caller(mock);
  const body = JSON.stringify({ prompt: `[[say: hi]] ${'word '.repeat(10_000)}` });
  for (let number = 0; number < 2000; number += 1) {
    await call('POST', GENERATE, body);
    if (number % 20 === 0) await new Promise(setImmediate);
  }
  const grown = process.memoryUsage.rss() - before;
  for (const socket of sockets) socket.destroy();
  await served.close({ graceMs: 0 });
  await mock.close();
  return grown / 1e6;
}

await silentReaders(1);
const [none, hundred] = [await silentReaders(0), await silentReaders(100)];
report(
  'memory over 2 000 events of 50 kB: no reader, and 100 that do not read',
  `${none.toFixed(0)} MB`,
  `${hundred.toFixed(0)} MB`,
  undefined,
  hundred - none < 100 * 4.5,
);

console.log(['| | empty | full | ratio |', '|---|--:|--:|--:|', ...rows].join('\n'));
process.exit(rows.some((row) => row.includes(' NO ')) ? 1 : 0);
