import {
  type InstanceContext,
  simulate,
  simulatedBullmq,
  simulatedGraphileWorker,
  simulatedPgBoss,
  simulatedRedis,
} from 'contentgen/simulate';
import {
  createWebhookHandler,
  createWebhookProcessor,
  type Enqueue,
  type WebhookProcessor,
} from 'contentgen/webhooks';
import { bullmqProcessor, bullmqQueue, bullmqWorkerOptions } from 'contentgen/webhooks/bullmq';
import { graphileQueue, graphileTask, graphileUnlock } from 'contentgen/webhooks/graphile-worker';
import { pgBossQueue, pgBossWork } from 'contentgen/webhooks/pg-boss';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { describe, expect, test } from 'vitest';
import { failureOf, silent } from './counter.ts';

const task = 'contentgen';
const chaos = { crash: 0.15, unreachable: 0.1, duplicate: 0.1, loseAnswer: 0.1 };
const MINUTE = 60_000;

type Queue = (context: InstanceContext, processor: WebhookProcessor) => Promise<Enqueue> | Enqueue;
type Options<Adapter extends (...given: never[]) => unknown> = Partial<Parameters<Adapter>[1]>;

const bullmq =
  (options: Options<typeof bullmqQueue> = {}, worker: object = bullmqWorkerOptions): Queue =>
  (context, processor) => {
    const queue = simulatedBullmq(context.disk.open('jobs'), context);
    queue.work(bullmqProcessor(processor), worker);
    return bullmqQueue(queue, options);
  };
const pgBoss =
  (options: Options<typeof pgBossQueue> = {}, own: object = {}): Queue =>
  async (context, processor) => {
    const boss = simulatedPgBoss(context.disk.open('jobs'), context);
    await boss.createQueue(task, own);
    await pgBossWork(boss, { queue: task, processor });
    return pgBossQueue(boss, { ...options, queue: task });
  };
const graphile =
  (options: Options<typeof graphileQueue> = {}, unlocks = true): Queue =>
  (context, processor) => {
    const worker = simulatedGraphileWorker(context.disk.open('jobs'), context);
    worker.run({ taskList: { [task]: graphileTask(processor) } });
    if (unlocks) context.clock.every(MINUTE, () => void graphileUnlock(worker));
    return graphileQueue(worker, { ...options, task });
  };

/** Mails each result from a job; the mail server is down for the first minutes. */
function mailer(queue: Queue, outageMs: number) {
  return async (context: InstanceContext) => {
    const { client, disk, url, secret, external, mock } = context;
    const up = Date.parse('2026-01-01') + outageMs;
    const { now } = mock.clock;
    const processor = createWebhookProcessor({
      dedupe: redisDedupe(simulatedRedis(disk.open('redis'), { now })),
      logger: silent,
      on: {
        async generation_completed({ payload: { requestId } }) {
          if (now() < up) throw new Error('The mail server is down.');
          await external('mail').send({ requestId }, { key: `${requestId}` });
        },
      },
    });
    const enqueue = await queue(context, processor);
    return {
      order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
      handle: createWebhookHandler({ secret, logger: silent, enqueue }),
    };
  };
}

type Mailer = Awaited<ReturnType<ReturnType<typeof mailer>>>;

const options = (queue: Queue, outageMs = 0) => ({
  reproductions: false as const,
  shrinkMs: 200,
  app: mailer(queue, outageMs),
  receive: (app: Mailer) => app.handle,
  run: ({ app }: { app: Mailer }) =>
    Promise.allSettled(['a', 'b'].map((prompt) => app.order(prompt))),
  effects: ({ external }: InstanceContext) =>
    external('mail')
      .received<{ requestId: string }>()
      .map(({ requestId }) => requestId),
});

const seeds = Number(process.env['SEEDS'] ?? 8);

describe.each(Object.entries({ bullmq, pgBoss, graphile }))('%s', (_, queue) => {
  test('with its default options, survives crashes and an outage of ten minutes', async () => {
    // After some faults, a queue waits for hours.
    const survived = {
      ...options(queue(), 10 * MINUTE),
      chaos,
      seeds,
      settleFor: '1 day' as const,
    };
    const { coverage } = await simulate(survived);
    expect(Object.keys(coverage).join()).toMatch(/crash (?:before|after) × jobs\./);
  });
});

test.each<[string, Queue]>([
  ['bullmq with three attempts', bullmq({ attempts: 3 })],
  ['bullmq with a backoff of 10 ms', bullmq({ attempts: 10, backoffMs: 10 })],
  ['pg-boss with three retries', pgBoss({ retryLimit: 3 })],
  ['pg-boss without a backoff', pgBoss({ retryBackoff: false, retryDelay: 1 })],
  ['pg-boss with one retry set on the queue', pgBoss({}, { retryLimit: 1 })],
  ['graphile-worker with three attempts', graphile({ maxAttempts: 3 })],
])('an outage of ten minutes finds %s', async (_, queue) => {
  const error = await failureOf(simulate({ ...options(queue, 10 * MINUTE), chaos: {}, seeds: 1 }));
  expect(error.message).toContain('no effect');
});

test.each<[string, Queue]>([
  ['bullmq, which gives up a job that stalled', bullmq({}, { maxStalledCount: 0 })],
  ['pg-boss, whose jobs run for hours', pgBoss({ expireInSeconds: 7200 })],
  ['graphile-worker without graphileUnlock', graphile({}, false)],
])('a crash finds %s', async (_, queue) => {
  const error = await failureOf(simulate({ ...options(queue), chaos: { crash: 0.2 }, seeds: 50 }));
  expect(error.message).toContain('no effect');
});
