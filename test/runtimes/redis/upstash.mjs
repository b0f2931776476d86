import { Redis } from '@upstash/redis';
import { redisContract } from './contract.mjs';

redisContract('@upstash/redis', async ({ UPSTASH_URL }) => {
  const client = new Redis({ url: UPSTASH_URL, token: 'token', enableTelemetry: false });
  const command = async (...words) => {
    const init = { method: 'POST', body: JSON.stringify(words) };
    return (await (await fetch(UPSTASH_URL, init)).json()).result;
  };
  return { client, command, close: () => {} };
});
