import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { makeWorkerUtils } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { createClient } from 'redis';
import { Agent } from 'undici';
import { ContentGen } from '../../src/index.ts';
import { signWebhook } from '../../src/webhooks/index.ts';
import { postgresResults } from '../../src/webhooks/postgres.ts';
import { redisResults } from '../../src/webhooks/redis.ts';
import { type QueueProcessOptions, supervise } from '../../test/chaos/queue-fleet.ts';
import { needs } from '../../test/support/needs.ts';
import { withPostgres, withRedis } from '../../test/support/servers.ts';

// node bench/webhooks/queues.ts [--quick]: wall time. The receiver, the worker and the sender are separate processes
// on one machine, and so is the store.
const quick = process.argv.includes('--quick');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const perSecond = 500;
const seconds = quick ? 3 : 20;
const waits = 1000;
const agent = new Agent({ connections: 64, pipelining: 1 });

console.log(
  `Responses at ${perSecond} deliveries/s for ${seconds} s, while each callback takes 60 s`,
);
const responses: Record<string, object> = {};
for (const engine of ['graphile-worker', 'pg-boss', 'bullmq'] as const)
  responses[engine] = await respond(engine);
console.table(responses);

console.log(
  `\n${waits} waits in one process, their callbacks sent to another: time from a callback's 200 to the end of its wait`,
);
console.table({
  redisResults: needs('redis') ? await settle('redis') : 'skipped: redis-server is not installed',
  postgresResults: needs('postgres')
    ? await settle('postgres')
    : 'skipped: PostgreSQL is not installed',
});
await agent.close();
process.exit();

async function respond(engine: QueueProcessOptions['engine']): Promise<object> {
  const kind = engine === 'bullmq' ? 'redis' : 'postgres';
  if (!needs(kind)) return { p50: `skipped: ${kind} is not installed` };
  const server = await (kind === 'redis' ? withRedis(['--appendonly', 'yes']) : withPostgres());
  await prepare(engine, server.url);
  const options = { engine, url: server.url, secret, callbackMs: 60_000 };
  const receiver = await supervise({ ...options, role: 'receiver' });
  const worker = await supervise({ ...options, role: 'worker' });
  const url = receiver.url as string;
  try {
    await load(url, 1, 'warm');
    const { latencies, statuses } = await load(url, seconds, 'run');
    latencies.sort((a, b) => a - b);
    const at = (share: number) =>
      `${(latencies[Math.floor(latencies.length * share)] as number).toFixed(1)} ms`;
    const accepted = statuses.filter((status) => status === 200).length;
    return {
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      accepted: `${accepted} of ${statuses.length}`,
    };
  } finally {
    await Promise.all([receiver.stop(), worker.stop()]);
    await server.stop();
  }
}

async function connect(url: string) {
  const client = createClient({ url });
  // The server stops before its clients.
  client.on('error', () => {});
  return client.connect();
}

function pool(connectionString: string): pg.Pool {
  const made = new pg.Pool({ connectionString });
  made.on('error', () => {});
  return made;
}

async function prepare(engine: string, url: string): Promise<void> {
  if (engine === 'graphile-worker') {
    const utils = await makeWorkerUtils({ connectionString: url });
    await utils.migrate();
    await utils.release();
  } else if (engine === 'pg-boss') {
    const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
    await boss.start();
    await boss.createQueue('contentgen');
    await boss.stop({ graceful: false });
  }
}

/** Sends at a fixed rate, without waiting for responses. */
async function load(url: string, seconds: number, name: string) {
  const body = JSON.stringify({ event: 'bench', organization: 'x'.repeat(200) });
  const all: { id: string; headers: Record<string, string> }[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    // The receivers of the chaos tests order deliveries by the number at the end.
    const id = `msg_${name === 'warm' ? 0 : 1}${n}`;
    all.push({ id, headers: await signWebhook({ id, body, secret }) });
  }
  const latencies: number[] = [];
  const statuses: number[] = [];
  const sent = all.map(async ({ headers }, n) => {
    await new Promise((resolve) => setTimeout(resolve, (n * 1000) / perSecond));
    const at = performance.now();
    const status = await post(url, headers, body);
    latencies.push(performance.now() - at);
    statuses.push(status);
  });
  await Promise.all(sent);
  return { latencies, statuses };
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const { origin, pathname } = new URL(url);
  const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
  await response.body.dump();
  return response.statusCode;
}

async function settle(kind: 'redis' | 'postgres'): Promise<object> {
  const server = await (kind === 'redis' ? withRedis() : withPostgres());
  const { url } = server;
  const script = fileURLToPath(new URL('results-process.ts', import.meta.url));
  const child = fork(script, [url, secret], { execArgv: ['--no-warnings'] });
  const [port] = await once(child, 'message');
  const results =
    kind === 'redis'
      ? redisResults(await connect(url), await connect(url))
      : postgresResults(pool(url));
  let polls = 0;
  const client = new ContentGen({
    baseUrl: 'https://api.example.com',
    apiKey: 'cg_test_bench',
    fetch: async () => {
      polls += 1;
      return Response.json({ requestId: 'gen', status: 'processing', model: 'content-1' });
    },
  });
  try {
    const settledAt = new Map<string, number>();
    const ids = Array.from({ length: waits }, (_, n) => `gen_${n}`);
    const waiting = ids.map(async (requestId) => {
      await client.content.resume(requestId).wait({ results });
      settledAt.set(requestId, performance.now());
    });
    while (polls < waits) await new Promise((resolve) => setTimeout(resolve, 20));
    const respondedAt = new Map<string, number>();
    await Promise.all(
      ids.map(async (requestId, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 5));
        const payload = { requestId, result: 'x', model: 'content-1', usage: { totalTokens: 1 } };
        const body = JSON.stringify(payload);
        const headers = await signWebhook({ id: `msg_${n}`, body, secret });
        await post(`http://127.0.0.1:${port}/`, headers, body);
        respondedAt.set(requestId, performance.now());
      }),
    );
    await Promise.all(waiting);
    const delays = ids.map((id) =>
      Math.max(0, (settledAt.get(id) ?? 0) - (respondedAt.get(id) ?? 0)),
    );
    delays.sort((a, b) => a - b);
    const at = (share: number) => `${(delays[Math.floor(waits * share)] as number).toFixed(1)} ms`;
    return { median: at(0.5), p99: at(0.99), 'polls per wait': (polls / waits).toFixed(2) };
  } finally {
    await results.close();
    child.kill('SIGKILL');
    await server.stop();
  }
}
