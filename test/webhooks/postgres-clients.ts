import { AsyncLocalStorage } from 'node:async_hooks';
import { postgresDdl, postgresDedupe, type SqlQuery } from 'contentgen/webhooks/postgres';
import { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type Postgres, table, through } from './postgres-support.ts';
import { setUp } from './set-up.ts';
import { usage } from './support.ts';

/** What the query function that `postgresDedupe` is given may do, and must not. */
export function queryFunctions({ server, query, run }: Postgres): void {
  test('that renames even words says so in the log, with what it returned', async () => {
    const shouting: SqlQuery = async (text, params) => {
      const { rows } = await query(text, params);
      const shout = (row: object) =>
        Object.fromEntries(Object.entries(row).map(([name, of]) => [name.toUpperCase(), of]));
      return { rows: rows.map((row) => shout(row as object)) };
    };
    const { send, logger } = setUp({ dedupe: postgresDedupe(shouting) });
    expect([(await send()).http, (await send()).http]).toEqual([200, 503]);
    expect(logger.lines.join()).toContain(
      'the query function returned a row with DONE and REMAINING, not done and remaining',
    );
  });

  test('chosen by tenant writes every row of a delivery where that delivery belongs', async () => {
    const tenants = new AsyncLocalStorage<Pool>();
    const names = ['red', 'blue'];
    const pools = names.map(
      (name) => new Pool({ connectionString: server().database(name), max: 5 }),
    );
    onTestFinished(async () => {
      for (const tenant of pools) await tenant.end();
    });
    const dedupe = postgresDedupe((text, params) => {
      const tenant = tenants.getStore();
      if (!tenant) throw new Error('a statement was sent outside a tenant');
      return tenant.query(text, [...params]);
    });
    const { send, callback } = setUp({ dedupe, storeTimeoutMs: 60_000 });
    callback.mockImplementation(() => new Promise((resolve) => setImmediate(resolve)));
    const sent = Array.from({ length: 60 }, (_, n) =>
      tenants.run(pools[n % 2] as Pool, () => send(usage, { id: `msg_${names[n % 2]}_${n}` })),
    );
    const statuses = new Set((await Promise.all(sent)).map(({ http }) => http));
    expect([...statuses]).toEqual([200]);
    for (const [index, tenant] of pools.entries()) {
      const { rows } = await tenant.query(`SELECT key FROM ${table} WHERE done`);
      expect(rows).toHaveLength(30);
      expect(rows.every(({ key }) => key.startsWith(`msg_${names[index]}_`))).toBe(true);
    }
  });

  test('of a user who cannot create the missing table causes a 503 and a log line that says what to run, until it has been run', async () => {
    await run(['CREATE ROLE reader LOGIN']);
    const reader = new Pool({ connectionString: server().url.replace('postgres@', 'reader@') });
    onTestFinished(() => reader.end());
    const dedupe = postgresDedupe(
      through(() => reader),
      { table: 'absent' },
    );
    const { send, callback, logger } = setUp({ dedupe });
    expect((await send()).http).toBe(503);
    expect(logger.lines.join()).toContain(
      'the table absent does not exist and this database user cannot create it. Run the statements of postgresDdl() in a migration, and pass createTable: false.',
    );
    await run([
      ...postgresDdl('absent'),
      'GRANT SELECT, INSERT, UPDATE, DELETE ON absent TO reader',
    ]);
    expect((await send()).http).toBe(200);
    expect(callback).toHaveBeenCalledTimes(1);
  });
}
