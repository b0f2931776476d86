import { Queue } from 'bullmq';
import { ContentGen } from 'contentgen';
import { createWebhookHandler } from 'contentgen/webhooks';
import { fastifyWebhooks } from 'contentgen/webhooks/node';
import Fastify from 'fastify';
import { createClient, type RedisClientType } from 'redis';
import { startWorker } from './worker.ts';

const { CONTENTGEN_WEBHOOK_SECRET: secret, ROLE } = process.env;
const { REDIS_URL: url = 'redis://localhost:6379' } = process.env;
if (!secret) throw new Error('Set CONTENTGEN_WEBHOOK_SECRET.');

const client: RedisClientType = createClient({ url });
client.on('error', (error) => console.error('Redis:', error.message));
await client.connect();

if (ROLE !== 'receiver') startWorker(client, { url });
if (ROLE !== 'worker') {
  const queue = new Queue('contentgen', { connection: { url } });
  queue.on('error', (error) => console.error('BullMQ:', error.message));
  const job = {
    attempts: 16,
    backoff: { type: 'exponential', delay: 5000 },
    removeOnComplete: 1000,
  };
  const handler = createWebhookHandler({
    secret,
    enqueue: (_event, raw) => queue.add('webhook', raw, job),
  });

  const app = Fastify();
  await app.register(fastifyWebhooks, { path: '/webhooks', handler });
  app.get<{ Params: { id: string } }>('/stories/:id', async ({ params }) => {
    const { result } = await new ContentGen().content.resume(params.id).wait({ deadline: 60_000 });
    return { story: result };
  });
  console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }));
}
