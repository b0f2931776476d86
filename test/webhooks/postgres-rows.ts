import {
  type Dedupe,
  postgresDdl,
  postgresDedupe,
  postgresPurge,
} from 'contentgen/webhooks/postgres';
import type { PoolClient } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { type Postgres, through } from './postgres-support.ts';

/** How the rows of `postgresDedupe` are claimed, marked and deleted. */
export function rowsOfPostgres({ pool, query, run }: Postgres): void {
  let tables = 0;
  const newTable = async (rows = 0, age = '-1 day') => {
    tables += 1;
    const table = `rows_${tables}`;
    await run(postgresDdl(table));
    await pool().query(
      `INSERT INTO ${table} SELECT 'seeded_' || n, 'a', true, now() - $1::interval
       FROM generate_series(1, $2::int) n`,
      [age, rows],
    );
    return table;
  };
  const count = async (table: string) =>
    (await pool().query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0].n as number;
  const openTransaction = async (work: (client: PoolClient) => Promise<unknown>) => {
    const client = await pool().connect();
    await client.query('BEGIN');
    await work(client);
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  };
  describe('that are expired', () => {
    const old = '1 day';

    test('are deleted without reading all of them for each batch', async () => {
      const table = await newTable(20_000);
      await pool().query(`ANALYZE ${table}`);
      // The planner's statistics do not include these yet.
      await pool().query(
        `INSERT INTO ${table} SELECT 'old_' || n, 'a', true, now() - interval '1 s' FROM generate_series(1, 20000) AS n`,
      );
      const plan = await new Promise<string>((resolve) => {
        void postgresPurge(
          async (text, params) => {
            const { rows } = await pool().query(`EXPLAIN ANALYZE ${text}`, [...params]);
            resolve(rows.map((row) => row['QUERY PLAN']).join('\n'));
            return { rows: [] };
          },
          { table },
        );
      });
      expect(plan).toContain(`Index Scan using ${table}_pkey`);
      expect(plan).not.toMatch(/Rows Removed by/);
      expect(await count(table)).toBe(39_000);
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
      expect(await postgresPurge(query, { table })).toBe(0);
      expect(await count(table)).toBe(1);
    });
  });

  describe('that an open transaction has marked', () => {
    const mark = (store: Dedupe, key: string) =>
      openTransaction(
        (client) =>
          store.commitWith?.(
            through(() => client),
            key,
            'a',
          ) as never,
      );

    test('are in flight to a claim, which does not wait, even after their lease has expired', async () => {
      const table = await newTable();
      const store = postgresDedupe(query, { table });
      await store.claim('held', 'a');
      await pool().query(`UPDATE ${table} SET expires_at = now()`);
      const commit = await mark(store, 'held');
      expect(await store.claim('held', 'b')).toEqual({ state: 'in_flight', leftMs: 1 });
      expect(await store.claim('new', 'b')).toEqual({ state: 'claimed' });
      await commit();
      expect(await store.claim('held', 'b')).toEqual({ state: 'done' });
    });

    test('make another mark for the same key fail at once, but no mark for another key', async () => {
      const store = postgresDedupe(query, { table: await newTable() });
      await store.claim('other', 'c');
      await store.claim('held', 'a');
      const commit = await mark(store, 'held');
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

  test('a renewed lease outlives the sweep, and its renewal goes with a later one', async () => {
    const table = await newTable();
    const store = postgresDedupe(query, { table });
    await store.claim('long', 'a');
    expect(await store.renew('long', 'a')).toBe(true);
    await pool().query(
      `UPDATE ${table} SET expires_at = now() - interval '1 s' WHERE key = 'long'`,
    );
    expect(await postgresPurge(query, { table })).toBe(0);
    expect(await store.claim('long', 'b')).toMatchObject({ state: 'in_flight' });
    await pool().query(`UPDATE ${table} SET expires_at = now() - interval '1 s'`);
    expect(await store.renew('long', 'a')).toBe(false);
    expect(await postgresPurge(query, { table })).toBe(2);
  });
}
