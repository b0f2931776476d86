import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { createClient } from 'redis';
import { describe, expect, type TestContext, test, vi } from 'vitest';
import type { DedupeStore } from '../../src/webhooks/index.ts';
import { postgresDedupe } from '../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../src/webhooks/redis.ts';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { type SnippetProcess, startSnippet } from './snippet-process.ts';
import { startSqs } from './sqs.ts';

/** How many deliveries pass through each recipe, in two copies each, and how often its process is killed. */
const deliveries = Number(process.env['CONTENTGEN_QUEUE_DELIVERIES'] ?? 60);
const kills = process.env['CONTENTGEN_QUEUE_DELIVERIES'] ? 5 : 1;
const atOnce = 10;

/** A recipe of docs/webhooks-at-scale.md with the servers that it needs. */
interface Recipe {
  readonly name: string;
  /** Only in this recipe's text. */
  readonly mark: string;
  /** Times of which the tests wait for less. */
  readonly times: readonly (readonly [printed: string, here: string])[];
  start(finish: Finish): Promise<Servers>;
}
/** Runs when the test has ended. */
type Finish = TestContext['onTestFinished'];

interface Servers {
  readonly env: Readonly<Record<string, string>>;
  /** The recipe's store, over a connection of the test. */
  readonly dedupe: DedupeStore;
  /** How many messages are not done yet. */
  open(): Promise<number>;
  /** What the guide says to do after a worker was killed. */
  afterKill?(): Promise<unknown>;
  /** Hands messages to the process, where the queue calls the consumer. */
  serve?(url: () => string): void;
}

async function overRedis(finish: Finish): Promise<Servers> {
  const server = await withRedis(['--appendonly', 'yes']);
  const client = await createClient({ url: server.url }).connect();
  finish(async () => {
    client.destroy();
    await server.stop();
  });
  /** A job that is done has left all of these. */
  const lists = ['wait', 'active', 'paused'].map((name) => `bull:contentgen:${name}`);
  const sets = ['delayed', 'prioritized', 'failed'].map((name) => `bull:contentgen:${name}`);
  return {
    env: { REDIS_URL: server.url },
    dedupe: redisDedupe(client),
    open: async () => {
      const counts = [
        ...lists.map((key) => client.lLen(key)),
        ...sets.map((key) => client.zCard(key)),
      ];
      return (await Promise.all(counts)).reduce((sum, count) => sum + count);
    },
  };
}

async function overPostgres(
  finish: Finish,
  unfinished?: string,
  afterKill?: string,
): Promise<Servers> {
  const server = await withPostgres();
  const pool = new Pool({ connectionString: server.url, max: 2 });
  finish(async () => {
    await pool.end();
    await server.stop();
  });
  return {
    env: { DATABASE_URL: server.url },
    dedupe: postgresDedupe((text, params) => pool.query(text, params)),
    open: async () => (unfinished ? (await pool.query(unfinished)).rowCount : 0) as number,
    ...(afterKill && { afterKill: () => pool.query(afterKill) }),
  };
}

async function overSqs(finish: Finish): Promise<Servers> {
  const sqs = await startSqs();
  finish(() => sqs.close());
  const servers = await overPostgres(finish);
  return {
    ...servers,
    env: { ...servers.env, ...sqs.env },
    open: async () => sqs.size(),
    serve: sqs.serve,
  };
}

const shortLease = ['(text, params))', '(text, params), { leaseMs: 2000 })'] as const;
const recipes: Recipe[] = [
  {
    name: 'BullMQ',
    mark: "from 'bullmq'",
    times: [
      ['redisDedupe(client)', 'redisDedupe(client, { leaseMs: 2000 })'],
      ['delay: 5000', 'delay: 500'],
      ['lockDuration: 10_000, stalledInterval: 5000', 'lockDuration: 2000, stalledInterval: 1000'],
    ],
    start: overRedis,
  },
  {
    name: 'pg-boss',
    mark: "from 'pg-boss'",
    times: [
      shortLease,
      ['monitorIntervalSeconds: 10', 'monitorIntervalSeconds: 1'],
      [
        'retryDelay: 5, retryBackoff: true, expireInSeconds: 120',
        'retryDelay: 1, expireInSeconds: 3',
      ],
    ],
    start: (finish) => overPostgres(finish, "SELECT FROM pgboss.job WHERE state <> 'completed'"),
  },
  {
    name: 'graphile-worker',
    mark: "from 'graphile-worker'",
    times: [shortLease],
    start: (finish) =>
      overPostgres(
        finish,
        'SELECT FROM graphile_worker.jobs',
        `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by))
         FROM graphile_worker.jobs WHERE locked_by IS NOT NULL`,
      ),
  },
  { name: 'Amazon SQS', mark: "from '@aws-sdk/client-sqs'", times: [shortLease], start: overSqs },
];

describe
  .runIf(needs('redis') && needs('postgres') && needs('foreign'))
  .concurrent('the recipe for', () => {
    test.for(recipes)(
      '$name handles each delivery once although its process is killed, and again once it is forgotten',
      { timeout: 120_000 + deliveries * 600 },
      async ({ mark, times, start }, { onTestFinished: finish }) => {
        const servers = await start(finish);
        let output = '';
        const run = () => startSnippet('docs/webhooks-at-scale.md', mark, servers.env, times);
        let receiver: SnippetProcess = await run();
        finish(() => receiver.kill());
        servers.serve?.(() => receiver.url);

        const handled = () => {
          const counts = new Map<string, number>();
          for (const [requestId] of (output + receiver.output()).matchAll(/^gen_\d+$/gm))
            counts.set(requestId, (counts.get(requestId) ?? 0) + 1);
          return counts;
        };
        const numbers = Array.from({ length: deliveries }, (_, n) => n);
        let accepted = 0;
        const deliver = async (n: number) => {
          while ((await receiver.deliver(`msg_${n}`, { requestId: `gen_${n}` })) !== 200)
            await delay(100);
          accepted += 1;
        };
        const deliverAll = async (all: readonly number[]) => {
          const left = [...all];
          const work = async () => {
            for (let n = left.pop(); n !== undefined; n = left.pop()) await deliver(n);
          };
          await Promise.all(Array.from({ length: atOnce }, work));
        };
        const drained = () =>
          vi.waitUntil(async () => (await servers.open()) === 0, {
            timeout: 90_000,
            interval: 200,
          });

        const sent = deliverAll([...numbers, ...numbers]);
        for (let kill = 1; kill <= kills; kill++) {
          while (accepted < (kill * 2 * deliveries) / (kills + 1)) await delay(5);
          await receiver.kill();
          output += receiver.output();
          await servers.afterKill?.();
          receiver = await run();
        }
        await sent;
        await drained();
        const counts = numbers.map((n) => handled().get(`gen_${n}`) ?? 0);
        expect(Math.min(...counts), 'none is lost').toBe(1);
        // A worker that is killed between effect and mark has written the line, and the next one writes it again.
        const repeated = counts.filter((count) => count > 1).length;
        expect(repeated).toBeLessThanOrEqual(kills * atOnce);
        expect(Math.max(...counts)).toBeLessThanOrEqual(2);

        const again = numbers.slice(0, 10);
        for (const n of again.slice(0, 5))
          expect(await servers.dedupe.forget(`msg_${n}`)).toBe(true);
        await deliverAll(again);
        await drained();
        const after = handled();
        const added = again.map((n) => (after.get(`gen_${n}`) ?? 0) - (counts[n] as number));
        expect(added).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
      },
    );
  });
