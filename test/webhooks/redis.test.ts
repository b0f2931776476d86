import { redisDedupe } from 'contentgen/webhooks/redis';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withRedis } from '../support/servers.ts';
import { dedupeContract } from './dedupe-contract.ts';
import { makeHandler, recorder, request, usage } from './support.ts';

describe.runIf(needs('redis'))('redisDedupe', () => {
  let server: ThrowAwayServer;
  let io: Redis;
  let node: ReturnType<typeof createClient>;

  beforeAll(async () => {
    server = await withRedis();
    io = new Redis(server.url);
    node = createClient({ url: server.url });
    await node.connect();
  });
  afterAll(async () => {
    node.destroy();
    io.disconnect();
    await server.stop();
  });

  const expire = async () => {
    for (const key of await io.keys('contentgen:webhook:*'))
      if ((await io.get(key)) !== 'done') await io.del(key);
  };
  const clients: [string, () => Parameters<typeof redisDedupe>[0]][] = [
    ['node-redis', () => node],
    ['ioredis', () => io],
    [
      "a client like Upstash's",
      () => ({
        eval: (script: string, keys: string[], args: string[]) =>
          io.eval(script, keys.length, ...keys, ...args),
      }),
    ],
    [
      "a client like Bun's",
      () => ({
        send: (command: string, args: string[]) => io.call(command, ...args),
        // Its `eval` takes keys and arguments one by one.
        eval: (script: string, count: number, ...rest: string[]) => {
          if (typeof count !== 'number') throw new TypeError('the number of keys is missing');
          return io.eval(script, count, ...rest);
        },
      }),
    ],
  ];
  describe.each(clients)('over %s', (_name, client) => {
    dedupeContract(() => redisDedupe(client()), expire);
  });

  test.each(clients.slice(0, 2))(
    'warns once, over %s, if Redis evicts keys, and not otherwise',
    async (name, client) => {
      const logger = recorder();
      const send = async (id: string) => {
        const dedupe = redisDedupe(client(), { prefix: `${name}:` });
        const handler = makeHandler({ dedupe, logger, on: { usage_threshold: () => {} } });
        for (const copy of ['a', 'b'])
          expect((await handler(await request(usage, { id: id + copy }))).status).toBe(200);
      };
      await send('safe');
      expect(logger.lines).toEqual([]);
      await io.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await send('evicting');
      await io.config('SET', 'maxmemory-policy', 'noeviction');
      expect(logger.lines).toEqual([
        expect.stringMatching(/^warn Redis evicts keys.*allkeys-lru.*handled again.*noeviction/),
      ]);
    },
  );

  test('its waits leave no listeners on a client of ioredis', async () => {
    const listeners = () => io.eventNames().map((name) => [name, io.listenerCount(name)]);
    const store = redisDedupe(io, { prefix: 'listening:' });
    await store.claim('first', 'a');
    const before = listeners();
    const late = makeHandler({
      dedupe: {
        ...store,
        claim: (key, attempt) =>
          io.blpop(`never:${key}`, 0.05).then(() => store.claim(key, attempt)),
      },
      logger: recorder(),
      storeTimeoutMs: 10,
      on: { usage_threshold: () => {} },
    });
    const sent = Array.from(
      { length: 12 },
      async (_, n) => (await late(await request(usage, { id: `msg_${n}` }))).status,
    );
    expect(new Set(await Promise.all(sent))).toEqual(new Set([503]));
    await Promise.all(Array.from({ length: 100 }, (_, n) => store.claim(`key_${n}`, 'a')));
    expect(listeners()).toEqual(before);
  });

  test('leaves the expiry of the lease, and then of the done mark, to Redis', async () => {
    const store = redisDedupe(io, { prefix: 'x:', leaseMs: 3_600_000, ttlMs: 864_000_000 });
    await store.claim('key', 'a');
    expect(await io.pttl('x:key')).toBeGreaterThan(3_500_000);
    expect(await io.pttl('x:key')).toBeLessThanOrEqual(3_600_000);
    await store.complete('key', 'a');
    expect(await io.pttl('x:key')).toBeGreaterThan(863_000_000);
  });

  test('recognizes a claim that its client repeated over a new connection', async () => {
    const store = redisDedupe({
      call: async (...args: [string, ...string[]]) => {
        await io.call(...args);
        return io.call(...args);
      },
    });
    expect(await store.claim('repeated', 'a')).toEqual({ state: 'claimed' });
    expect(await store.claim('repeated', 'b')).toMatchObject({ state: 'in_flight' });
  });

  test('rejects unknown clients and invalid options', () => {
    const wrong = expect.objectContaining({ code: 'webhook_configuration' });
    expect(() => redisDedupe({} as never)).toThrow(wrong);
    expect(() => redisDedupe(undefined as never)).toThrow(wrong);
    expect(() => redisDedupe(io, { leaseMs: 5 })).toThrow(wrong);
  });
});
