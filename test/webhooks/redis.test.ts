import { redisDedupe } from 'contentgen/webhooks/redis';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withRedis } from '../support/servers.ts';
import { dedupeContract } from './dedupe-contract.ts';
import { deliverUntilDone, type ReceiverProcess, startReceiver } from './receiver-fleet.ts';
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
          io.blpop(`never:${key}`, 0.2).then(() => store.claim(key, attempt)),
      },
      logger: recorder(),
      storeTimeoutMs: 10,
      on: { usage_threshold: () => {} },
    });
    const sent = Array.from(
      { length: 30 },
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

  test('never loses an effect, and repeats one only if a process is killed before its mark', async () => {
    const fleet: ReceiverProcess[] = [
      await startReceiver(server.url),
      await startReceiver(server.url),
    ];
    const urls = () => fleet.map(({ url }) => url);
    const victim = fleet[0] as ReceiverProcess;
    try {
      const ids = Array.from({ length: 40 }, (_, n) => `msg_${n}`);
      const work = ids.flatMap((id) =>
        [0, 1, 2].map((turn) =>
          deliverUntilDone(() => (turn % 2 ? urls().reverse() : urls()), id, { id }),
        ),
      );
      const hanging = deliverUntilDone(() => [victim.url], 'msg_hang', { hang: true }).catch(
        () => {},
      );
      await vi.waitFor(async () => expect(await io.get('hung:msg_hang')).toBe('1'), 20_000);
      await victim.kill();
      fleet[0] = await startReceiver(server.url);
      work.push(...[0, 1, 2].map(() => deliverUntilDone(urls, 'msg_hang', { hang: true })));
      await Promise.all(work);
      for (const id of [...ids, 'msg_hang']) {
        const keys = [
          `effect:${id}`,
          `started by ${victim.pid}:${id}`,
          `marked by ${victim.pid}:${id}`,
        ];
        const [effects, starts, marks] = (await io.mget(keys)).map(Number) as [
          number,
          number,
          number,
        ];
        const crashed = starts - marks;
        expect(effects, id).toBeGreaterThanOrEqual(1);
        expect(effects, id).toBeLessThanOrEqual(1 + crashed);
      }
      expect(await io.get('start:msg_hang')).toBe('2');
      expect(await io.get('effect:msg_hang')).toBe('1');
      void hanging;
    } finally {
      await Promise.all(fleet.map((receiver) => receiver.kill()));
    }
  }, 60_000);
});
