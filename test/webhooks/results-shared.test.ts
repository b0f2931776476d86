import {
  createWebhookHandler,
  type ResultStore,
  WebhookConfigurationError,
} from 'contentgen/webhooks';
import { postgresResults, postgresResultsDdl } from 'contentgen/webhooks/postgres';
import { redisResults } from 'contentgen/webhooks/redis';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres, withRedis } from '../support/servers.ts';
import { resultsContract, survivesRestart } from './results-contract.ts';
import { completed, makeHandler, recorder, request } from './support.ts';

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

describe.runIf(needs('redis'))('redisResults', () => {
  let server: ThrowAwayServer;
  beforeAll(async () => {
    server = await withRedis(['--appendonly', 'yes']);
  });
  afterAll(() => server?.stop());

  const overNodeRedis = async (options = {}) => {
    const connect = async () => {
      const client = createClient({ url: server.url });
      client.on('error', () => {});
      await client.connect();
      ends.push(() => client.destroy());
      return client;
    };
    const results = redisResults(await connect(), await connect(), options);
    ends.unshift(() => results.close());
    return results;
  };
  const overIoredis = async (options = {}) => {
    const connect = () => {
      const client = new Redis(server.url);
      client.on('error', () => {});
      ends.push(() => client.disconnect());
      return client;
    };
    const results = redisResults(connect(), connect(), options);
    ends.unshift(() => results.close());
    return results;
  };
  const restart = async () => {
    await server.end();
    await server.start();
  };

  describe('over node-redis', () => {
    resultsContract(overNodeRedis);
    test('survives a restart of the store', () => survivesRestart(overNodeRedis, restart));
  });
  describe('over ioredis', () => {
    resultsContract(overIoredis);
    test('survives a restart of the store', () => survivesRestart(overIoredis, restart));
  });

  test('names itself when it rejects a client', () => {
    expect(() => redisResults(undefined as never, {} as never)).toThrow(
      'redisResults got undefined, not a supported Redis client',
    );
  });

  test('rejects a subscriber that cannot subscribe, or that is the client', async () => {
    const client = new Redis(server.url, { lazyConnect: true });
    for (const subscriber of [undefined, {}, client])
      expect(() => redisResults(client, subscriber as never)).toThrow(WebhookConfigurationError);
    expect(() =>
      redisResults(client, client.duplicate({ lazyConnect: true }), { prefix: '' }),
    ).toThrow(/prefix/);
  });
});

describe.runIf(needs('postgres'))('postgresResults', () => {
  let server: ThrowAwayServer;
  beforeAll(async () => {
    server = await withPostgres();
  });
  afterAll(() => server?.stop());

  const start = async (options = {}) => {
    const pool = new pg.Pool({ connectionString: server.url, max: 4 });
    pool.on('error', () => {});
    const results = postgresResults(pool, options);
    ends.unshift(() => results.close());
    ends.push(() => pool.end());
    return results;
  };
  resultsContract(start);

  test('survives a restart of the store', () =>
    survivesRestart(start, async () => {
      await server.end();
      await server.start();
    }));

  test('works in a schema whose table a migration has created', async () => {
    const pool = new pg.Pool({ connectionString: server.url });
    ends.push(() => pool.end());
    await pool.query('CREATE SCHEMA app');
    for (const statement of postgresResultsDdl('app.results')) await pool.query(statement);
    const results = postgresResults(pool, { table: 'app.results', createTable: false });
    ends.unshift(() => results.close());
    const waiting = results.waitFor('gen_1');
    await makeHandler({ results })(await request(completed));
    expect(await waiting).toMatchObject({ payload: completed });
  });

  test('gives its connection back on close()', async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    const other = await start();
    const results = postgresResults(pool);
    await other.add({ id: 'm', type: 'generation_completed', payload: completed } as never);
    const waiting = results.waitFor('gen_9').catch(() => {});
    await results.close();
    await waiting;
    await pool.query('SELECT 1');
    await pool.end();
  });

  test('rejects anything but a pool', () => {
    expect(() => postgresResults({} as never)).toThrow(/not a pool/);
  });
});

describe('A handler with results', () => {
  const failing: ResultStore = {
    add: () => Promise.reject(new Error('The store is gone.')),
    waitFor: () => new Promise(() => {}),
  };

  test('accepts the delivery though its result cannot be stored, and logs that', async () => {
    const logger = recorder();
    const handler = makeHandler({ results: failing, logger });
    expect((await handler(await request(completed))).status).toBe(200);
    expect(logger.lines.join()).toContain('Failed to store the result of webhook msg_1');
  });

  test('stores a result once the callback or the queue has it, and delegates waits to the store', async () => {
    const order: string[] = [];
    const results: ResultStore = {
      add: async () => void order.push('stored'),
      waitFor: async (requestId) => ({ type: requestId }) as never,
    };
    const handler = makeHandler({ results, enqueue: async () => order.push('queued') });
    await handler(await request(completed));
    expect(order).toEqual(['queued', 'stored']);
    expect(await handler.waitFor('gen_7')).toEqual({ type: 'gen_7' });
  });

  test('rejects results that are not a store', () => {
    for (const results of [null, {}, { add: () => {} }])
      expect(() => createWebhookHandler({ secret: 'x', results } as never)).toThrow(
        WebhookConfigurationError,
      );
  });
});
