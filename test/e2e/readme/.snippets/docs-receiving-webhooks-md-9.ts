import { createWebhookHandler, type WebhookHandler } from 'contentgen/webhooks';
import { Hono } from 'hono';
import { env } from 'hono/adapter';

const app = new Hono();
let handler: WebhookHandler | undefined;

app.post('/webhooks', (c) => {
  // `env` reads the bindings of Workers and the environment of Node, Bun and Deno.
  const { CONTENTGEN_WEBHOOK_SECRET } = env<{ CONTENTGEN_WEBHOOK_SECRET: string }>(c);
  handler ??= createWebhookHandler({ secret: CONTENTGEN_WEBHOOK_SECRET });
  return handler(c.req.raw);
});

export default app;
