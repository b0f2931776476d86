import { AsyncLocalStorage } from 'node:async_hooks';
import { createWebhookHandler } from 'contentgen/webhooks';
import { postgresDedupe, type SqlQuery } from 'contentgen/webhooks/postgres';
import { Pool, type PoolClient } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import {
  type ThrowAwayPostgres,
  type ThrowAwayServer,
  withPgBouncer,
  withPostgres,
} from '../support/servers.ts';
import { dedupeContract } from './dedupe-contract.ts';
import { now, recorder, request, secret, usage } from './support.ts';

const table = 'contentgen_webhook_deliveries';

describe.runIf(needs('postgres'))('postgresDedupe over a client', () => {
  let server: ThrowAwayPostgres;
  let pool: Pool;
  const query: SqlQuery = (text, params) => pool.query(text, [...params]);

  beforeAll(async () => {
    server = await withPostgres();
    pool = new Pool({ connectionString: server.url, max: 20 });
    await pool.query('CREATE TABLE money (id text, cents int)');
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });
  const expire = async () => {
    await pool.query(`UPDATE ${table} SET expires_at = clock_timestamp() WHERE NOT done`);
  };

  describe('that renames columns', () => {
    let sql: postgres.Sql;
    beforeAll(() => {
      sql = postgres(server.url, { max: 20, onnotice: () => {}, transform: postgres.camel });
    });
    afterAll(() => sql?.end());
    dedupeContract(
      () =>
        postgresDedupe(async (text, params) => ({
          rows: await sql.unsafe(text, params as never[]),
        })),
      expire,
    );
  });

  test('that renames even words says so in the log, with what it returned', async () => {
    const logger = recorder();
    const shouting: SqlQuery = async (text, params) => {
      const { rows } = await pool.query(text, [...params]);
      return {
        rows: rows.map((row) =>
          Object.fromEntries(Object.entries(row).map(([name, of]) => [name.toUpperCase(), of])),
        ),
      };
    };
    const dedupe = postgresDedupe(shouting);
    const on = { usage_threshold: () => {} };
    const handler = createWebhookHandler({ secret, now, logger, dedupe, on });
    const statuses = [];
    for (const id of ['msg_upper', 'msg_upper'])
      statuses.push((await handler(await request(usage, { id }))).status);
    expect(statuses).toEqual([200, 503]);
    expect(logger.lines.join()).toContain(
      'the query function returned a row with DONE and REMAINING, not done and remaining',
    );
  });

  test('chosen by tenant writes every row of a delivery where that delivery belongs', async () => {
    const tenants = new AsyncLocalStorage<Pool>();
    const names = ['red', 'blue', 'green'];
    const pools = names.map(
      (name) => new Pool({ connectionString: server.database(name), max: 5 }),
    );
    onTestFinished(async () => {
      for (const tenant of pools) await tenant.end();
    });
    const dedupe = postgresDedupe((text, params) => {
      const tenant = tenants.getStore();
      if (!tenant) throw new Error('a statement was sent outside a tenant');
      return tenant.query(text, [...params]);
    });
    const handler = createWebhookHandler({
      secret,
      now,
      logger: recorder(),
      dedupe,
      storeTimeoutMs: 60_000,
      on: { usage_threshold: () => new Promise((resolve) => setImmediate(resolve)) },
    });
    const sent = Array.from({ length: 600 }, (_, n) => n);
    const statuses = await Promise.all(
      sent.map(async (n) => {
        const delivery = await request(usage, { id: `msg_${names[n % 3]}_${n}` });
        return tenants.run(pools[n % 3] as Pool, async () => (await handler(delivery)).status);
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(600);
    for (const [index, tenant] of pools.entries()) {
      const { rows } = await tenant.query(`SELECT key FROM ${table} WHERE done`);
      expect(rows).toHaveLength(200);
      expect(rows.every(({ key }) => key.startsWith(`msg_${names[index]}_`))).toBe(true);
    }
  });

  describe.runIf(needs('pgbouncer'))('through PgBouncer in session mode', () => {
    let bouncer: ThrowAwayServer;
    let through: Pool;
    beforeAll(async () => {
      bouncer = await withPgBouncer(server.port, 'session');
      through = new Pool({ connectionString: bouncer.url, max: 10 });
    });
    afterAll(async () => {
      await through?.end();
      await bouncer?.stop();
    });
    dedupeContract(
      () => postgresDedupe((text, params) => through.query(text, [...params])),
      expire,
    );

    test('commitWith over the pool itself is found there too', async () => {
      const store = postgresDedupe((text, params) => through.query(text, [...params]));
      await store.claim('session', 'a');
      await expect(
        store.commitWith?.((text, params) => through.query(text, [...params]), 'session', 'a'),
      ).rejects.toThrow('outside a transaction');
    });
  });

  describe('commitWith', () => {
    const transaction = async (begin: string, work: (client: PoolClient) => Promise<void>) => {
      const client = await pool.connect();
      try {
        await client.query(begin);
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
    const pay = (client: PoolClient, id: string) =>
      client.query('INSERT INTO money VALUES ($1, 100)', [id]);
    const paid = async (id: string) =>
      (await pool.query('SELECT 1 FROM money WHERE id = $1', [id])).rowCount;

    test.each([
      ['over the pool itself, beside the transaction,', 'pool', false],
      ['over the pool itself, although the callback ignores the error,', 'pool', true],
      ['in a savepoint that was rolled back', 'savepoint', false],
      ['that nobody awaits', 'floating', false],
    ])('%s fails the delivery, which is not marked as done', async (_name, misuse, ignores) => {
      const id = `msg_${misuse}_${ignores}`;
      const logger = recorder();
      let isWrong = true;
      const handler = createWebhookHandler({
        secret,
        now,
        logger,
        dedupe: postgresDedupe(query),
        on: {
          usage_threshold: (event, { commitWith }) =>
            transaction('BEGIN', async (client) => {
              await pay(client, event.id);
              if (!isWrong) return commitWith(through(client));
              if (misuse === 'pool') {
                const marking = commitWith(query);
                await (ignores ? marking.catch(() => {}) : marking);
                throw new Error('the payment was refused');
              }
              if (misuse === 'floating') return void commitWith(() => new Promise(() => {}));
              await client.query('SAVEPOINT mark');
              await commitWith(through(client));
              await client.query('ROLLBACK TO mark');
            }),
        },
      });
      const send = async () => handler(await request(usage, { id }));
      expect((await send()).status).toBe(500);
      isWrong = false;
      const second = await send();
      expect([second.status, await second.json()]).toEqual([200, { status: 'processed' }]);
      expect(logger.lines).toHaveLength(1);
    });

    test.each(['REPEATABLE READ', 'SERIALIZABLE'])(
      'in a %s transaction succeeds although the lease was renewed in it',
      async (level) => {
        const id = `msg_${level.replace(' ', '_')}`;
        const store = postgresDedupe(query, { leaseMs: 1000 });
        const handler = createWebhookHandler({
          secret,
          now,
          dedupe: store,
          logger: recorder(),
          on: {
            usage_threshold: (event, { commitWith, attemptId }) =>
              transaction(`BEGIN ISOLATION LEVEL ${level}`, async (client) => {
                await pay(client, event.id);
                for (let turn = 0; turn < 3; turn++)
                  expect(await store.renew(event.id, attemptId)).toBe(true);
                await commitWith(through(client));
              }),
          },
        });
        expect((await handler(await request(usage, { id }))).status).toBe(200);
        expect(await paid(id)).toBe(1);
      },
    );

    test('in a SERIALIZABLE transaction fails once another attempt has taken over', async () => {
      const store = postgresDedupe(query);
      await store.claim('taken', 'a');
      const losing = transaction('BEGIN ISOLATION LEVEL SERIALIZABLE', async (client) => {
        await pay(client, 'taken');
        await expire();
        expect(await store.claim('taken', 'b')).toEqual({ state: 'claimed' });
        await store.commitWith?.(through(client), 'taken', 'a');
      });
      await expect(losing).rejects.toMatchObject({ code: '40001' });
      expect(await paid('taken')).toBe(0);
    });
  });
});
