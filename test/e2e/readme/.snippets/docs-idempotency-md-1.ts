import { createWebhookHandler } from 'contentgen/webhooks';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { createClient } from 'redis';

const redis = createClient({
  url: process.env.REDIS_URL!,
  // While the connection is lost, commands fail at once and the delivery is retried.
  disableOfflineQueue: true,
  // A server that falls silent is noticed within 5 s, and the client connects again.
  pingInterval: 2000,
  socket: { connectTimeout: 3000, socketTimeout: 5000 },
});
// Required: without a listener, a lost connection ends the process.
redis.on('error', (error) => console.error('Redis:', error.message));
await redis.connect();

export const POST = createWebhookHandler({
  secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
  dedupe: redisDedupe(redis, { prefix: 'myapp:webhook:' }),
  on: { generation_completed: async (event) => console.log(event.payload.requestId) },
});
