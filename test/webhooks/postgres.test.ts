import { createWebhookHandler } from 'contentgen/webhooks';
import { postgresDdl, postgresDedupe, type SqlQuery } from 'contentgen/webhooks/postgres';
import { Pool, type PoolClient } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres } from '../support/servers.ts';
import { dedupeContract } from './dedupe-contract.ts';
import { now, recorder, request, secret, usage } from './support.ts';

const table = 'contentgen_webhook_deliveries';

describe.runIf(needs('postgres'))('postgresDedupe', () => {
  let server: ThrowAwayServer;
  let pool: Pool;
  let sql: postgres.Sql;
  const query: SqlQuery = (text, params) => pool.query(text, [...params]);

  beforeAll(async () => {
    server = await withPostgres();
    pool = new Pool({ connectionString: server.url, max: 20 });
    sql = postgres(server.url, { max: 20, onnotice: () => {} });
    await pool.query('CREATE TABLE ledger (what text, id text)');
  });
  afterAll(async () => {
    await pool?.end();
    await sql?.end();
    await server?.stop();
  });

  const expire = async () => {
    await pool.query(`UPDATE ${table} SET expires_at = clock_timestamp() WHERE NOT done`);
  };
  describe('over pg', () => {
    dedupeContract(() => postgresDedupe(query), expire);
  });
  describe('over postgres.js', () => {
    const unsafe: SqlQuery = async (text, params) => ({
      rows: await sql.unsafe(text, params as never[]),
    });
    dedupeContract(() => postgresDedupe(unsafe), expire);
  });

  test('creates its table on first use, even when many processes start at once', async () => {
    const many = new Pool({ connectionString: server.url, max: 50 });
    for (let round = 0; round < 4; round++) {
      const stores = Array.from({ length: 40 }, () =>
        postgresDedupe((text, params) => many.query(text, [...params]), {
          table: `public.made_${round}`,
        }),
      );
      const claims = await Promise.all(
        stores.map((store, n) => store.claim('key', `attempt_${n}`)),
      );
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    }
    await many.end();
  });

  test('takes no lock and needs no permission to create tables if its table exists', async () => {
    await pool.query('CREATE SCHEMA app');
    for (const statement of postgresDdl('app.there')) await pool.query(statement);
    await pool.query('CREATE ROLE writer LOGIN');
    await pool.query('GRANT USAGE ON SCHEMA app TO writer');
    await pool.query('GRANT SELECT, INSERT, UPDATE, DELETE ON app.there TO writer');
    const maker = await pool.connect();
    const writer = await pool.connect();
    try {
      await maker.query('BEGIN');
      await maker.query('SELECT pg_advisory_xact_lock(1668247156)');
      await writer.query('SET ROLE writer');
      const store = postgresDedupe((text, params) => writer.query(text, [...params]), {
        table: 'app.there',
      });
      expect(await store.claim('key', 'a')).toEqual({ state: 'claimed' });
    } finally {
      await maker.query('ROLLBACK');
      await writer.query('RESET ROLE');
      maker.release();
      writer.release();
    }
  });

  test('creates no table with createTable: false, and the DDL works in a migration', async () => {
    const store = postgresDedupe(query, { table: 'by_hand', createTable: false });
    await expect(store.claim('key', 'a')).rejects.toThrow('by_hand');
    for (const statement of postgresDdl('by_hand')) await pool.query(statement);
    for (const statement of postgresDdl('by_hand')) await pool.query(statement);
    expect(await store.claim('key', 'a')).toEqual({ state: 'claimed' });
  });

  test('retries creating the table after a failure', async () => {
    let isDown = true;
    const store = postgresDedupe(
      (text, params) =>
        isDown ? Promise.reject(new Error('database is down')) : query(text, params),
      { table: 'late' },
    );
    await expect(store.claim('key', 'a')).rejects.toThrow('database is down');
    isDown = false;
    expect(await store.claim('key', 'a')).toEqual({ state: 'claimed' });
  });

  test.each(['a"b', 'a;b', '1a', 'a.b.c', '', 'a b', 'x'.repeat(60)])(
    'rejects the table name %o',
    (name) => {
      expect(() => postgresDedupe(query, { table: name })).toThrow(
        expect.objectContaining({ code: 'webhook_configuration' }),
      );
    },
  );

  describe('commitWith', () => {
    const transaction = async (work: (client: PoolClient) => Promise<void>) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await work(client);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    };
    const through =
      (client: PoolClient): SqlQuery =>
      (text, params) =>
        client.query(text, [...params]);
    const effects = async (id: string) =>
      (await pool.query('SELECT 1 FROM ledger WHERE id = $1', [id])).rowCount;

    test('commits effect and mark together, and a COMMIT that rolled back in silence is no success', async () => {
      let breaks = true;
      const handler = createWebhookHandler({
        secret,
        now,
        dedupe: postgresDedupe(query),
        logger: recorder(),
        on: {
          usage_threshold: (event, context) =>
            transaction(async (client) => {
              await client.query('INSERT INTO ledger VALUES ($1, $2)', ['effect', event.id]);
              await context.commitWith(through(client));
              // PostgreSQL then answers the COMMIT with ROLLBACK, and no error.
              if (breaks) await client.query('SELECT 1 / 0').catch(() => {});
            }),
        },
      });
      const send = async () => handler(await request(usage, { id: 'msg_silent' }));
      expect((await send()).status).toBe(500);
      expect(await effects('msg_silent')).toBe(0);
      breaks = false;
      expect((await send()).status).toBe(200);
      expect(await (await send()).json()).toEqual({ status: 'duplicate' });
      expect(await effects('msg_silent')).toBe(1);
    });

    test('while a transaction is still open, another delivery gets a 503 without waiting for it', async () => {
      const isMarked = Promise.withResolvers<void>();
      const resume = Promise.withResolvers<void>();
      const handler = createWebhookHandler({
        secret,
        now,
        dedupe: postgresDedupe(query),
        // A statement that waited for the transaction would hang: there is no timeout.
        storeTimeoutMs: 600_000,
        on: {
          usage_threshold: (_, context) =>
            transaction(async (client) => {
              await context.commitWith(through(client));
              isMarked.resolve();
              await resume.promise;
            }),
        },
      });
      const send = async () => handler(await request(usage, { id: 'msg_open' }));
      const first = send();
      await isMarked.promise;
      const concurrent = await send();
      expect([concurrent.status, await concurrent.json()]).toEqual([503, { code: 'in_flight' }]);
      expect(concurrent.headers.get('retry-after')).toMatch(/^\d+$/);
      resume.resolve();
      expect((await first).status).toBe(200);
      expect(await (await send()).json()).toEqual({ status: 'duplicate' });
    });

    test('commits neither when the transaction rolls back', async () => {
      const store = postgresDedupe(query);
      await store.claim('rolled', 'a');
      const failing = transaction(async (client) => {
        await client.query('INSERT INTO ledger VALUES ($1, $2)', ['effect', 'rolled']);
        await store.commitWith?.(through(client), 'rolled', 'a');
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await store.claim('rolled', 'b')).toMatchObject({ state: 'in_flight' });
      expect(await effects('rolled')).toBe(0);
    });

    test('rolls back the attempt that lost its lease, so two callbacks have one effect', async () => {
      const store = postgresDedupe(query);
      const entered = Promise.withResolvers<void>();
      const resume = Promise.withResolvers<void>();
      let calls = 0;
      const handler = createWebhookHandler({
        secret,
        now,
        dedupe: { ...store, renew: async () => true },
        logger: recorder(),
        on: {
          usage_threshold: async (event, context) => {
            calls += 1;
            if (calls === 1) {
              entered.resolve();
              await resume.promise;
            }
            await transaction(async (client) => {
              await client.query('INSERT INTO ledger VALUES ($1, $2)', ['effect', event.id]);
              await context.commitWith(through(client));
            });
          },
        },
      });
      const first = handler(await request(usage, { id: 'msg_slow' }));
      await entered.promise;
      await pool.query(`UPDATE ${table} SET expires_at = clock_timestamp() WHERE key = 'msg_slow'`);
      expect((await handler(await request(usage, { id: 'msg_slow' }))).status).toBe(200);
      resume.resolve();
      expect((await first).status).toBe(503);
      expect(calls).toBe(2);
      expect(await effects('msg_slow')).toBe(1);
    });
  });
});
