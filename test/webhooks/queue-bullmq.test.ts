import { Queue, type QueueOptions, Worker } from 'bullmq';
import {
  createWebhookProcessor,
  memoryDedupe,
  WebhookConfigurationError,
} from 'contentgen/webhooks';
import { bullmqProcessor, bullmqQueue, bullmqWorkerOptions } from 'contentgen/webhooks/bullmq';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withRedis } from '../support/servers.ts';
import { message, receiver, recordingProcessor, until } from './queue-support.ts';
import { gate, recorder } from './support.ts';

describe.runIf(needs('redis'))('BullMQ', () => {
  let server: ThrowAwayServer;
  let connection: QueueOptions['connection'];
  let queue: Queue;
  let workers: Worker[] = [];

  beforeAll(async () => {
    server = await withRedis();
    connection = { host: '127.0.0.1', port: server.port };
    queue = new Queue('contentgen', { connection });
    queue.on('error', () => {});
  });
  beforeEach(() => queue.obliterate({ force: true }));
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.close(true)));
    workers = [];
  });
  afterAll(async () => {
    await queue?.close();
    await server?.stop();
  });

  const work = (processor: Parameters<typeof bullmqProcessor>[0], options: object = {}) => {
    const run = bullmqProcessor(processor);
    const worker = new Worker('contentgen', run, {
      connection,
      ...bullmqWorkerOptions,
      ...options,
    });
    worker.on('error', () => {});
    workers.push(worker);
  };
  const counts = () => queue.getJobCounts('completed', 'failed', 'delayed', 'waiting', 'active');

  test('keeps one job per delivery, under its webhook-id', async () => {
    const { deliver } = receiver(bullmqQueue(queue));
    for (const id of ['msg_1', 'msg_1', 'msg_2']) expect(await deliver(id)).toBe(200);
    expect((await queue.getJobs()).map(({ id }) => id).sort()).toEqual(['msg_1', 'msg_2']);
    const { seen, processor } = recordingProcessor();
    work(processor);
    await until(async () => (await counts())['completed'] === 2);
    await deliver('msg_1');
    expect(seen.sort()).toEqual(['msg_1', 'msg_2']);
  });

  test('moves a permanently failed job to the failed set, and retries it when its delivery is sent again', async () => {
    const { deliver } = receiver(bullmqQueue(queue, { attempts: 2, backoffMs: 1 }));
    let fails = true;
    const seen: string[] = [];
    const callback = ({ id }: { id: string }) => {
      if (fails) throw new Error('no');
      seen.push(id);
    };
    work(
      createWebhookProcessor({
        dedupe: memoryDedupe(),
        logger: recorder(),
        on: { usage_threshold: callback },
      }),
    );
    await deliver('msg_1');
    await until(async () => (await counts())['failed'] === 1);
    expect(await queue.getJob('msg_1')).toMatchObject({ failedReason: 'no', attemptsMade: 2 });
    fails = false;
    await deliver('msg_1');
    await until(() => seen.length === 1);
    expect(seen).toEqual(['msg_1']);
  });

  test('lets a job wait while another attempt holds its delivery, without losing an attempt', async () => {
    const dedupe = memoryDedupe();
    await dedupe.claim('msg_1', 'another attempt');
    const seen: string[] = [];
    const processor = createWebhookProcessor({
      dedupe,
      on: { usage_threshold: ({ id }) => void seen.push(id) },
    });
    await receiver(bullmqQueue(queue, { attempts: 1 })).deliver('msg_1');
    work(processor);
    await until(async () => (await counts())['delayed'] === 1);
    await dedupe.release('msg_1', 'another attempt');
    await (await queue.getJob('msg_1'))?.promote();
    await until(() => seen.length === 1);
    await until(async () => (await counts())['completed'] === 1);
  });

  test("gives a killed worker's job to another, more than once", async () => {
    const { deliver } = receiver(bullmqQueue(queue));
    const short = { ...bullmqWorkerOptions, lockDuration: 300, stalledInterval: 100 };
    await deliver('msg_1');
    for (let kills = 0; kills < 3; kills++) {
      const { callback, entered } = gate();
      work(createWebhookProcessor({ dedupe: memoryDedupe(), on: { usage_threshold: callback } }), {
        ...short,
        skipLockRenewal: true,
        skipStalledCheck: true,
      });
      const watching = new Worker('contentgen', null as never, { connection, ...short });
      // A check that runs while it closes ends with an error.
      watching.on('error', () => {});
      await watching.startStalledCheckTimer();
      await entered;
      // Killed: it neither renews its lock nor ends its job.
      await workers.pop()?.close(true);
      await watching.close();
    }
    const { seen, processor } = recordingProcessor();
    work(processor, short);
    await until(() => seen.length === 1);
  });

  test('makes a valid job id from any key', async () => {
    const enqueue = bullmqQueue(queue);
    for (const key of ['gen_1:completed', '12345', 'tenant:msg_1', 'x'.repeat(600)])
      await enqueue({} as never, message(key));
    const ids = (await queue.getJobs()).map(({ id }) => id);
    expect(ids).toHaveLength(4);
    for (const id of ids) expect(id).toMatch(/^sha256-[0-9a-f]{64}$/);
  });

  test('responds 503 while Redis is away, and keeps the delivery once when it is back', async () => {
    const { deliver } = receiver(bullmqQueue(queue));
    await server.end();
    const handler = receiver((event, raw) =>
      Promise.race([
        bullmqQueue(queue)(event, raw),
        new Promise((_resolve, reject) => setTimeout(() => reject(new Error('late')), 300)),
      ]),
    );
    expect(await handler.deliver('msg_1')).toBe(503);
    await server.start();
    expect(await deliver('msg_1')).toBe(200);
    expect((await queue.getJobs()).map(({ id }) => id)).toEqual(['msg_1']);
  });
});

test('bullmqQueue rejects options that cannot work', () => {
  const queue = { add: async () => {} };
  for (const [client, options] of [
    [queue, { name: '' }],
    [queue, { attempts: 0 }],
    [queue, { backoffMs: Number.NaN }],
    [queue, { backoff: 1 }],
    [{}, {}],
    [undefined, {}],
  ])
    expect(() => bullmqQueue(client as never, options as never)).toThrow(WebhookConfigurationError);
});
