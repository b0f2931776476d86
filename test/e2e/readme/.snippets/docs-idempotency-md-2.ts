import { createWebhookHandler } from 'contentgen/webhooks';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL!, {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: 3000,
  socketTimeout: 5000,
});
// Without a listener, each lost connection is printed with its stack.
redis.on('error', (error) => console.error('Redis:', error.message));

export const POST = createWebhookHandler({
  secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
  dedupe: redisDedupe(redis, { prefix: 'myapp:webhook:' }),
  on: { generation_completed: async (event) => console.log(event.payload.requestId) },
});
