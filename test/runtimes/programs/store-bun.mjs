import { redisDedupe } from 'contentgen/webhooks/redis';
import { tryStore } from './store.mjs';

const client = new globalThis.Bun.RedisClient(process.env.REDIS_URL);
await client.connect();
await tryStore("Bun's own client of Redis", redisDedupe(client));
