import { redisContract } from './contract.mjs';

redisContract("Bun's own client", async ({ REDIS_URL }) => {
  const client = new globalThis.Bun.RedisClient(REDIS_URL);
  await client.connect();
  return {
    client,
    command: (name, ...args) => client.send(name, args),
    close: () => client.close(),
  };
});
