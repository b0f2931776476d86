import { Redis } from '@upstash/redis';
import { redisDedupe } from 'contentgen/webhooks/redis';
import { tryStore } from './store.mjs';

const client = new Redis({
  url: process.env.UPSTASH_URL,
  token: 'token',
  enableTelemetry: false,
});
await tryStore('@upstash/redis', redisDedupe(client));
