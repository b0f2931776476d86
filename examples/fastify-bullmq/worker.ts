import { type ConnectionOptions, Worker } from 'bullmq';
import { createWebhookProcessor } from 'contentgen/webhooks';
import { bullmqProcessor, bullmqWorkerOptions } from 'contentgen/webhooks/bullmq';
import { redisDedupe } from 'contentgen/webhooks/redis';
import type { RedisClientType } from 'redis';

export function startWorker(client: RedisClientType, connection: ConnectionOptions): Worker {
  const processor = createWebhookProcessor({
    dedupe: redisDedupe(client),
    on: {
      generation_completed: ({ id, payload }) =>
        client.set(`story:${payload.requestId ?? id}`, payload.result),
    },
  });
  return new Worker('contentgen', bullmqProcessor(processor), {
    connection,
    concurrency: 10,
    ...bullmqWorkerOptions,
  });
}
