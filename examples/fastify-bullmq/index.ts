import { Queue } from 'bullmq';
import { ContentGen } from 'contentgen';
import { redisResults } from 'contentgen/webhooks/redis';
import { createClient, type RedisClientType } from 'redis';
import { createApp } from './receiver.ts';
import { startWorker } from './worker.ts';

const { CONTENTGEN_WEBHOOK_SECRET: secret, CONTENTGEN_API_KEY, ROLE } = process.env;
const { REDIS_URL: url = 'redis://localhost:6379' } = process.env;
if (!secret) throw new Error('Set CONTENTGEN_WEBHOOK_SECRET.');

const client: RedisClientType = createClient({ url });
client.on('error', (error) => console.error('Redis:', error.message));
await client.connect();

if (ROLE !== 'receiver') startWorker(client, { url });
if (ROLE !== 'worker') {
  const subscriber = client.duplicate();
  subscriber.on('error', (error) => console.error('Redis:', error.message));
  const app = await createApp({
    secret,
    queue: new Queue('contentgen', { connection: { url } }),
    results: redisResults(client, await subscriber.connect()),
    client: CONTENTGEN_API_KEY ? new ContentGen() : undefined,
  });
  console.log(await app.listen({ port: Number(process.env['PORT'] ?? 3000) }));
}
