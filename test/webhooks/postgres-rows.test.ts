import { createWebhookHandler } from 'contentgen/webhooks';
import {
  type Dedupe,
  postgresDdl,
  postgresDedupe,
  postgresPurge,
  type SqlQuery,
} from 'contentgen/webhooks/postgres';
import { Pool, type PoolClient } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPostgres } from '../support/servers.ts';
import { now, recorder, request, secret, usage } from './support.ts';

describe.runIf(needs('postgres'))('the rows of postgresDedupe', () => {
  let server: ThrowAwayServer;
  let pool: Pool;
  const query: SqlQuery = (text, params) => pool.query(text, [...params]);

  beforeAll(async () => {
    server = await withPostgres();
    pool = new Pool({ connectionString: server.url, max: 20 });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  let tables = 0;
  const newTable = async (rows = 0, age = '-1 day') => {
    tables += 1;
    const table = `rows_${tables}`;
    for (const statement of postgresDdl(table)) await pool.query(statement);
    await pool.query(
      `INSERT INTO ${table} SELECT 'seeded_' || n, 'a', true, now() - $1::interval
       FROM generate_series(1, $2::int) n`,
      [age, rows],
    );
    return table;
  };
  const count = async (table: string) =>
    (await pool.query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n as number;
  const openTransaction = async (work: (client: PoolClient) => Promise<unknown>) => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await work(client);
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  };
  const through =
    (client: PoolClient): SqlQuery =>
    (text, params) =>
      client.query(text, [...params]);

  describe('that are expired', () => {
    const old = '1 day';

    test('are deleted through the index, however large the table', async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      const table = await newTable(50_000);
      const statements: [string, (string | number)[]][] = [];
      const store = postgresDedupe(
        (text, params) => {
          statements.push([text, params]);
          return query(text, params);
        },
        { table, createTable: false },
      );
      await store.complete('key', 'a');
      const sweep = statements.find(([text]) => text.startsWith('DELETE'));
      const { rows } = await pool.query(`EXPLAIN ${sweep?.[0]}`, sweep?.[1]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`Index Scan using ${table}_expires`);
      expect(plan).not.toContain('Seq Scan');
    });

    test('are deleted without reading all of them for each batch', async () => {
      const table = await newTable(20_000);
      await pool.query(`ANALYZE ${table}`);
      // The planner's statistics do not include these yet.
      await pool.query(
        `INSERT INTO ${table} SELECT 'old_' || n, 'a', true, now() - interval '1 s' FROM generate_series(1, 20000) AS n`,
      );
      const statements: [string, (string | number)[]][] = [];
      await postgresPurge(
        async (text, params) => {
          statements.push([text, params]);
          return { rows: [] };
        },
        { table },
      );
      const [[text, params] = ['']] = statements;
      const { rows } = await pool.query(`EXPLAIN ANALYZE ${text}`, params);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`Index Scan using ${table}_pkey`);
      expect(plan).not.toMatch(/Rows Removed by/);
      expect(await count(table)).toBe(39_000);
    });

    test('are deleted at random, so that even ten short-lived processes delete them', async () => {
      const table = await newTable(50, old);
      const draws = [0.99, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.009, 0.4, 0.6];
      const random = vi.spyOn(Math, 'random');
      for (const [n, draw] of draws.entries()) {
        random.mockReturnValueOnce(draw);
        await postgresDedupe(query, { table }).complete(`key_${n}`, 'a');
      }
      await expect.poll(() => count(table)).toBe(draws.length);
    });

    test('are deleted 1 000 at a time, after the mark, which does not wait for it', async () => {
      vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValue(0.99);
      const table = await newTable(1500, old);
      const resume = Promise.withResolvers<void>();
      const store = postgresDedupe(
        async (text, params) => {
          if (text.startsWith('DELETE')) await resume.promise;
          return query(text, params);
        },
        { table },
      );
      await store.complete('key', 'a');
      expect(await count(table)).toBe(1501);
      resume.resolve();
      await expect.poll(() => count(table)).toBe(501);
    });

    test('that cannot be deleted now cause no failure', async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      const table = await newTable();
      const store = postgresDedupe(
        async (text, params) => {
          if (text.startsWith('DELETE')) throw new Error('no right to delete');
          return query(text, params);
        },
        { table },
      );
      await store.complete('key', 'a');
      expect(await store.claim('key', 'b')).toEqual({ state: 'done' });
    });

    test('are all deleted by postgresPurge, and the others are kept', async () => {
      const table = await newTable(2500, old);
      await postgresDedupe(query, { table }).claim('live', 'a');
      expect(await postgresPurge(query, { table })).toBe(2500);
      expect(await postgresPurge(query, { table, batchSize: 1 })).toBe(0);
      expect(await count(table)).toBe(1);
    });

    test('are deleted until the signal of postgresPurge is aborted', async () => {
      const table = await newTable(30, old);
      const controller = new AbortController();
      const purging = postgresPurge(
        async (text, params) => {
          controller.abort(new Error('enough'));
          return query(text, params);
        },
        { table, batchSize: 10, signal: controller.signal },
      );
      await expect(purging).rejects.toThrow('enough');
      expect(await count(table)).toBe(20);
    });
  });

  describe('that an open transaction has marked', () => {
    const marked = async (store: Dedupe, key: string) => {
      await store.claim(key, 'a');
      return openTransaction((client) => store.commitWith?.(through(client), key, 'a') as never);
    };

    test('are in flight to a claim, which does not wait', async () => {
      const store = postgresDedupe(query, { table: await newTable() });
      const commit = await marked(store, 'held');
      const [held, fresh] = await Promise.all([store.claim('held', 'b'), store.claim('new', 'b')]);
      expect([held.state, fresh.state]).toEqual(['in_flight', 'claimed']);
      await commit();
      expect(await store.claim('held', 'b')).toEqual({ state: 'done' });
    });

    test('are in flight to a claim even after their lease has expired', async () => {
      const table = await newTable();
      const store = postgresDedupe(query, { table });
      await store.claim('held', 'a');
      await pool.query(`UPDATE ${table} SET expires_at = now()`);
      const commit = await openTransaction(
        (client) => store.commitWith?.(through(client), 'held', 'a') as never,
      );
      expect(await store.claim('held', 'b')).toEqual({ state: 'in_flight', leftMs: 1 });
      await commit();
      expect(await store.claim('held', 'b')).toEqual({ state: 'done' });
    });

    test('make another mark for the same key fail at once, but no mark for another key', async () => {
      const store = postgresDedupe(query, { table: await newTable() });
      await store.claim('other', 'c');
      const commit = await marked(store, 'held');
      const results = await Promise.allSettled([
        store.complete('held', 'a'),
        store.complete('other', 'c'),
      ]);
      expect(results).toMatchObject([
        { status: 'rejected', reason: { message: expect.stringContaining('holds its row') } },
        { status: 'fulfilled' },
      ]);
      await commit();
      await store.complete('held', 'a');
    });
  });

  test('a key that PostgreSQL rejects does not fail other claims and marks', async () => {
    const store = postgresDedupe(query, { table: await newTable() });
    const bad = 'nul \0';
    const claims = await Promise.allSettled(
      ['one', bad, 'two'].map((key) => store.claim(key, 'a')),
    );
    expect(claims.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const marks = await Promise.allSettled(
      ['one', bad, 'two'].map((key) => store.complete(key, 'a')),
    );
    expect(marks.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('each claim and each mark sends one statement of its own, so one that hangs holds up no other', async () => {
    const table = await newTable();
    let statements = 0;
    const store = postgresDedupe(
      (text, params) => {
        statements += 1;
        return params[0] === 'hangs' ? new Promise(() => {}) : query(text, params);
      },
      { table, createTable: false },
    );
    vi.spyOn(Math, 'random').mockReturnValue(0.99);
    void store.claim('hangs', 'a');
    const keys = Array.from({ length: 40 }, (_, n) => `key_${n}`);
    const claims = await Promise.all(keys.map((key) => store.claim(key, 'a')));
    expect(claims.every(({ state }) => state === 'claimed')).toBe(true);
    await Promise.all(keys.map((key) => store.complete(key, 'a')));
    expect(statements).toBe(81);
  });

  test('a missing table that the user cannot create causes a 503 and a log line that says what to run, until it has been run', async () => {
    await pool.query('CREATE ROLE reader LOGIN');
    const reader = new Pool({ connectionString: server.url.replace('postgres@', 'reader@') });
    const table = 'absent';
    const dedupe = postgresDedupe((text, params) => reader.query(text, [...params]), { table });
    const logger = recorder();
    const effect = vi.fn();
    const on = { usage_threshold: effect };
    const handler = createWebhookHandler({ secret, now, logger, dedupe, on });
    expect((await handler(await request(usage))).status).toBe(503);
    expect(logger.lines.join()).toContain(
      'the table absent does not exist and this database user cannot create it. Run the statements of postgresDdl() in a migration, and pass createTable: false.',
    );
    for (const statement of postgresDdl(table)) await pool.query(statement);
    await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO reader`);
    expect((await handler(await request(usage))).status).toBe(200);
    expect(effect).toHaveBeenCalledTimes(1);
    await reader.end();
  });

  test('a table in a schema that does not exist says so', async () => {
    const store = postgresDedupe(query, { table: 'nowhere.deliveries' });
    await expect(store.claim('key', 'a')).rejects.toThrow(
      'the schema of the table nowhere.deliveries does not exist. Create it.',
    );
  });

  test('a statement that hangs before the table exists holds up no other', async () => {
    let hangs = true;
    const store = postgresDedupe(
      (text, params) => (hangs ? new Promise(() => {}) : query(text, params)),
      { table: 'hung_at_first' },
    );
    void store.claim('key', 'a');
    hangs = false;
    expect(await store.claim('key', 'b')).toEqual({ state: 'claimed' });
  });

  test('a renewed lease outlives the sweep, and its renewal goes with a later one', async () => {
    const table = await newTable();
    const store = postgresDedupe(query, { table });
    await store.claim('long', 'a');
    expect(await store.renew('long', 'a')).toBe(true);
    await pool.query(`UPDATE ${table} SET expires_at = now() - interval '1 s' WHERE key = 'long'`);
    expect(await postgresPurge(query, { table })).toBe(0);
    expect(await store.claim('long', 'b')).toMatchObject({ state: 'in_flight' });
    await pool.query(`UPDATE ${table} SET expires_at = now() - interval '1 s'`);
    expect(await store.renew('long', 'a')).toBe(false);
    expect(await postgresPurge(query, { table })).toBe(2);
  });
});
