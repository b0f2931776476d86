import { createWebhookHandler, type WebhookHandler } from 'contentgen/webhooks';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { Hono } from 'hono';
import { restRedis } from './rest-redis.ts';

interface Bindings {
  readonly CONTENTGEN_WEBHOOK_SECRET: string;
  readonly REDIS_REST_URL: string;
  readonly REDIS_REST_TOKEN: string;
}

const app = new Hono<{ Bindings: Bindings }>();
let handler: WebhookHandler | undefined;

app.post('/webhooks', (c) => {
  // Workers pass secrets with each request, so the first request creates the receiver.
  handler ??= createWebhookHandler({
    secret: c.env.CONTENTGEN_WEBHOOK_SECRET,
    dedupe: redisDedupe(restRedis(c.env.REDIS_REST_URL, c.env.REDIS_REST_TOKEN)),
    on: { generation_completed: ({ payload }) => console.log('completed:', payload.requestId) },
  });
  return handler(c.req.raw);
});

export default app;
