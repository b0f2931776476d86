import {
  createWebhookProcessor,
  memoryDedupe,
  WebhookConfigurationError,
} from 'contentgen/webhooks';
import { pgBossQueue, pgBossWork, pgBossWorker } from 'contentgen/webhooks/pg-boss';
import { PgBoss } from 'pg-boss';
import { PgBoss as EarlierPgBoss } from 'pg-boss-12.0';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres } from '../support/servers.ts';
import { message, receiver, recordingProcessor, until } from './queue-support.ts';
import { recorder } from './support.ts';

const queue = 'contentgen';
const deadLetter = 'contentgen-failed';

const versions = [
  ['12.38', PgBoss],
  ['12.0', EarlierPgBoss as unknown as typeof PgBoss],
] as const;

describe.runIf(needs('postgres')).each(versions)('pg-boss %s', (version, PgBoss) => {
  let server: ThrowAwayServer;
  let boss: PgBoss;

  beforeAll(async () => {
    server = await withPostgres();
    const settings = { supervise: false, schedule: false, monitorIntervalSeconds: 1 };
    boss = new PgBoss({ connectionString: server.url, ...settings });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue(deadLetter);
    await boss.createQueue(queue, { deadLetter });
  });
  beforeEach(async () => {
    await boss.deleteAllJobs(queue);
    await boss.deleteAllJobs(deadLetter);
  });
  afterAll(async () => {
    await boss?.stop({ graceful: false });
    await server?.stop();
  });

  const work = async (processor: Parameters<typeof pgBossWorker>[0]) => {
    await boss.work(queue, { batchSize: 10, pollingIntervalSeconds: 0.5 }, pgBossWorker(processor));
    return () => boss.offWork(queue);
  };
  const states = async () => {
    const { rows } = await boss.getDb().executeSql('SELECT name, state FROM pgboss.job ORDER BY 1');
    return rows.map(({ name, state }) => `${name} ${state}`);
  };

  test('keeps one job per delivery, even once it is done', async () => {
    const { deliver } = receiver(pgBossQueue(boss, { queue }));
    for (const id of ['msg_1', 'msg_1', 'msg_2']) expect(await deliver(id)).toBe(200);
    expect(await states()).toEqual([`${queue} created`, `${queue} created`]);
    const { seen, processor } = recordingProcessor();
    const stop = await work(processor);
    await until(async () => (await states()).every((state) => state.endsWith('completed')));
    await deliver('msg_1');
    await stop();
    expect(seen.sort()).toEqual(['msg_1', 'msg_2']);
    expect(await states()).toEqual([`${queue} completed`, `${queue} completed`]);
  });

  test('copies a permanently failed job to the dead-letter queue, and retries it when its delivery is sent again', async () => {
    const { deliver } = receiver(pgBossQueue(boss, { queue, retryLimit: 0 }));
    const reject = () => Promise.reject(new Error('no'));
    const failing = createWebhookProcessor({
      dedupe: memoryDedupe(),
      logger: recorder(),
      on: { usage_threshold: reject },
    });
    await deliver('msg_1');
    let stop = await work(failing);
    await until(async () => (await states()).includes(`${queue} failed`));
    await stop();
    expect(await states()).toEqual([`${queue} failed`, `${deadLetter} created`]);
    await deliver('msg_1');
    expect(await states()).toContain(`${queue} retry`);
    const { seen, processor } = recordingProcessor();
    stop = await work(processor);
    await until(() => seen.length === 1);
    await stop();
  });

  test('repeats the failed messages of a batch, but not those that were done', async () => {
    const { deliver } = receiver(
      pgBossQueue(boss, { queue, retryDelay: 0, retryBackoff: false, retryLimit: 5 }),
    );
    const seen: string[] = [];
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(),
      logger: recorder(),
      on: {
        usage_threshold: ({ id }) => {
          seen.push(id);
          if (id === 'msg_2' && seen.filter((one) => one === id).length === 1)
            throw new Error('the first time');
        },
      },
    });
    for (const id of ['msg_1', 'msg_2', 'msg_3']) await deliver(id);
    const stop = await work(processor);
    await until(async () => (await states()).every((state) => state.endsWith('completed')));
    await stop();
    expect(seen.sort()).toEqual(['msg_1', 'msg_2', 'msg_2', 'msg_3']);
  });

  test("gives a killed worker's job to another once it has expired", async () => {
    const { deliver } = receiver(
      pgBossQueue(boss, { queue, expireInSeconds: 1, retryDelay: 0, retryBackoff: false }),
    );
    await deliver('msg_1');
    // A worker that fetched it and was killed.
    expect(await boss.fetch(queue)).toHaveLength(1);
    const { seen, processor } = recordingProcessor();
    const stop = await work(processor);
    await until(async () => {
      await boss.supervise(queue);
      return seen.length > 0;
    });
    await stop();
    expect(seen).toEqual(['msg_1']);
  });

  test('settles each job of a batch by itself, where pg-boss can', async () => {
    const { deliver } = receiver(pgBossQueue(boss, { queue, retryLimit: 0 }));
    const { promise: allStarted, resolve: start } = Promise.withResolvers<void>();
    let started = 0;
    const processor = createWebhookProcessor({
      dedupe: memoryDedupe(),
      logger: recorder(),
      on: {
        usage_threshold: async ({ id }) => {
          started += 1;
          if (started === 4) start();
          await allStarted;
          if (id === 'msg_3') throw new Error('poison');
        },
      },
    });
    for (const id of ['msg_1', 'msg_2', 'msg_3', 'msg_4']) await deliver(id);
    await pgBossWork(boss, { queue, processor, pollingIntervalSeconds: 0.5 });
    await until(async () => (await states()).includes(`${queue} failed`));
    await boss.offWork(queue);
    const dead = version === '12.0' ? 4 : 1;
    const counted = (wanted: string, all: readonly string[]) =>
      all.filter((state) => state === wanted).length;
    const ends = await states();
    expect(counted(`${deadLetter} created`, ends)).toBe(dead);
    expect(counted(`${queue} completed`, ends)).toBe(4 - dead);
  });

  test.each([
    ['short', 1],
    ['stately', 1],
    ['exclusive', 1],
    ['singleton', 5],
  ] as const)(
    'acknowledges only what a queue with the policy %s has taken',
    async (policy, most) => {
      const name = `contentgen-${policy}`;
      await boss.createQueue(name, { policy });
      const { deliver, logger } = receiver(pgBossQueue(boss, { queue: name }));
      const statuses: number[] = [];
      for (const id of ['msg_1', 'msg_2', 'msg_3', 'msg_4', 'msg_5', 'msg_1'])
        statuses.push(await deliver(id));
      const taken = statuses.slice(0, 5).filter((status) => status === 200);
      expect(taken).toHaveLength(most);
      expect(statuses.at(-1)).toBe(200);
      expect((await states()).filter((state) => state === `${name} created`)).toHaveLength(most);
      if (most === 1) expect(logger.lines.join()).toContain(`has the policy ${policy}`);
      await boss.deleteAllJobs(name);
    },
  );

  test('acknowledges a copy of a job that was canceled, and leaves it canceled', async () => {
    const { deliver } = receiver(pgBossQueue(boss, { queue }));
    await deliver('msg_1');
    const [job] = await boss.fetch(queue);
    await boss.cancel(queue, job?.id ?? '');
    expect(await deliver('msg_1')).toBe(200);
    expect(await states()).toEqual([`${queue} cancelled`]);
  });

  test('prefers its own options to those of the queue, and these to its defaults', async () => {
    await boss.createQueue('tuned', { retryLimit: 7, retryDelay: 30, expireInSeconds: 60 });
    const { deliver } = receiver(pgBossQueue(boss, { queue: 'tuned', retryDelay: 2 }));
    await deliver('msg_1');
    const [job] = await boss.fetch('tuned', { includeMetadata: true });
    expect(job).toMatchObject({
      retryLimit: 7,
      retryDelay: 2,
      retryBackoff: true,
      expireInSeconds: 60,
    });
    await boss.deleteAllJobs('tuned');
  });

  test('responds 503 for a queue that was not created', async () => {
    const { deliver, logger } = receiver(pgBossQueue(boss, { queue: 'nowhere' }));
    expect(await deliver('msg_1')).toBe(503);
    expect(logger.lines.join()).toContain('Queue nowhere does not exist');
  });

  test('accepts any body, even though its column is jsonb', async () => {
    const payload = { event: 'usage_threshold', note: 'a\u0000b \ud800' };
    const { deliver } = receiver(pgBossQueue(boss, { queue }));
    expect(await deliver('msg_1', payload)).toBe(200);
    const [job] = await boss.fetch<{ body: string }>(queue);
    expect(JSON.parse(job?.data.body ?? '')).toEqual(payload);
  });
});

test('pgBossQueue makes the same UUID from the same key', async () => {
  const ids: string[] = [];
  const boss = {
    getQueue: async () => null,
    send: async (_queue: string, _message: unknown, { id }: { id: string }) => {
      ids.push(id);
      return id;
    },
  };
  const enqueue = pgBossQueue(boss as never, { queue });
  for (const key of ['a', 'a', 'b']) await enqueue({} as never, message(key));
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
});

test('pgBossQueue rejects options that cannot work', () => {
  const boss = { send: async () => null };
  for (const [client, options] of [
    [boss, {}],
    [boss, { queue: '' }],
    [boss, { queue, expireIn: 1 }],
    [boss, { queue, expireInSeconds: 0 }],
    [{}, { queue }],
    [undefined, { queue }],
  ])
    expect(() => pgBossQueue(client as never, options as never)).toThrow(WebhookConfigurationError);
});
