// Whether calls stay as fast in a full server as in an empty one: node bench/service/growth.ts [--quick]
// A ratio is the median over rounds in which both take turns. "NO" marks what is not flat within a third.
import { internalsOf } from '../../mock-server/composition/internals.ts';
import { createMockServer, type MockServer } from '../../mock-server/index.ts';
import { inTurns, median } from '../turns.ts';
import { caller, type Filling, fullServer } from './full-server.ts';

const quick = process.argv.includes('--quick');
const rounds = quick ? 15 : 40;
const GENERATE = '/api/ai/content/generate';
const rows: string[] = [];

function report(what: string, small: string, large: string, ratio: number) {
  const verdict = ratio < 4 / 3 ? '' : ' NO';
  rows.push(`| ${what} | ${small} | ${large} | ${ratio.toFixed(2)}${verdict} |`);
}

async function compare(what: string, onEmpty: () => unknown, onFull: () => unknown): Promise<void> {
  const cases = { empty: () => onEmpty, full: () => onFull };
  const { empty, full } = await inTurns(cases, { rounds, calls: 200, warmUp: 3 });
  const ratio = median(full.map((cost, round) => cost / (empty[round] ?? 0)));
  report(what, `${median(empty).toFixed(1)} µs`, `${median(full).toFixed(1)} µs`, ratio);
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
report(
  '6 virtual days, per pending delivery: 1 000 and 10 000 of them',
  `${median(days.map(({ few }) => few)).toFixed(2)} ms`,
  `${median(days.map(({ many }) => many)).toFixed(2)} ms`,
  median(days.map(({ few, many }) => many / few)),
);

console.log(['| | empty | full | ratio |', '|---|--:|--:|--:|', ...rows].join('\n'));
process.exit(rows.some((row) => row.includes(' NO ')) ? 1 : 0);
