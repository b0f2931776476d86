import { type ConnectionOptions, Worker } from 'bullmq';
import { createWebhookProcessor } from 'contentgen/webhooks';
import { redisDedupe } from 'contentgen/webhooks/redis';
import type { RedisClientType } from 'redis';

/** Runs the callbacks. The queue can hold copies of a delivery: the dedupe store lets one of them run. */
export function startWorker(client: RedisClientType, connection: ConnectionOptions): Worker {
  const processor = createWebhookProcessor({
    dedupe: redisDedupe(client),
    on: {
      generation_completed: ({ id, payload }) =>
        client.set(`story:${payload.requestId ?? id}`, payload.result),
    },
  });
  const worker = new Worker('contentgen', ({ data }) => processor.process(data), {
    connection,
    concurrency: 10,
    // The jobs of a killed worker are taken over after 10 s, however often that happens.
    lockDuration: 10_000,
    stalledInterval: 5000,
    maxStalledCount: 1000,
  });
  return worker.on('error', (error) => console.error('BullMQ:', error.message));
}
