import { createWebhookHandler } from 'contentgen/webhooks';
import { fastifyWebhooks } from 'contentgen/webhooks/node';
import Fastify from 'fastify';

const handler = createWebhookHandler({ secret: process.env.CONTENTGEN_WEBHOOK_SECRET! });

const app = Fastify();
await app.register(fastifyWebhooks, { path: '/webhooks', handler });
await app.listen({ port: 3000 });
