import { createWebhookHandler, type WebhookHandler } from 'contentgen/webhooks';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { Hono } from 'hono';
import { env } from 'hono/adapter';
import { restRedis } from './rest-redis.ts';

type Bindings = {
  readonly CONTENTGEN_WEBHOOK_SECRET: string;
  readonly REDIS_REST_URL: string;
  readonly REDIS_REST_TOKEN: string;
};

const app = new Hono();
let handler: WebhookHandler | undefined;

app.post('/webhooks', (c) => {
  // Workers pass secrets with each request, so the first request creates the receiver. `env` also works on Node.
  const bindings = env<Bindings>(c);
  handler ??= createWebhookHandler({
    secret: bindings.CONTENTGEN_WEBHOOK_SECRET,
    dedupe: redisDedupe(restRedis(bindings.REDIS_REST_URL, bindings.REDIS_REST_TOKEN)),
    on: { generation_completed: ({ payload }) => console.log('completed:', payload.requestId) },
  });
  return handler(c.req.raw);
});

export default app;
