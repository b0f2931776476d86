import { postgresDdl, postgresDedupe, type SqlQuery } from 'contentgen/webhooks/postgres';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/needs.ts';
import { type ThrowAwayServer, withPgBouncer } from '../support/servers.ts';
import { dedupeContract } from './dedupe-contract.ts';
import { queryFunctions } from './postgres-clients.ts';
import { rowsOfPostgres } from './postgres-rows.ts';
import { through, usePostgres } from './postgres-support.ts';
import { setUp } from './set-up.ts';
import { usage } from './support.ts';

const processed = { http: 200, status: 'processed' };
const duplicate = { http: 200, status: 'duplicate' };
const failed = { http: 500, code: 'callback_failed' };

describe.runIf(needs('postgres'))('postgresDedupe', () => {
  const used = usePostgres();
  const { server, pool, query, run, expire, transaction, effects } = used;

  describe('over a query function', () => queryFunctions(used));
  describe('with rows', () => rowsOfPostgres(used));

  describe('over pg', () => {
    dedupeContract(() => postgresDedupe(query), expire);
  });

  describe('over postgres.js that renames columns', () => {
    let sql: postgres.Sql;
    beforeAll(() => {
      sql = postgres(server().url, { max: 20, onnotice: () => {}, transform: postgres.camel });
    });
    afterAll(() => sql?.end());
    const unsafe: SqlQuery = async (text, params) => ({
      rows: await sql.unsafe(text, params as never[]),
    });
    dedupeContract(() => postgresDedupe(unsafe), expire);
  });

  describe.runIf(needs('pgbouncer'))('through PgBouncer in session mode', () => {
    let bouncer: ThrowAwayServer;
    let bounced: Pool;
    const query = through(() => bounced);
    beforeAll(async () => {
      bouncer = await withPgBouncer(server().port);
      bounced = new Pool({ connectionString: bouncer.url, max: 10 });
    });
    afterAll(async () => {
      await bounced?.end();
      await bouncer?.stop();
    });
    dedupeContract(() => postgresDedupe(query), expire);

    test('commitWith over the pool itself is found there too', async () => {
      const store = postgresDedupe(query);
      await store.claim('session', 'a');
      const marking = store.commitWith?.(query, 'session', 'a');
      await expect(marking).rejects.toThrow('outside a transaction');
    });
  });

  test('creates its table on first use, even when many processes start at once', async () => {
    const many = new Pool({ connectionString: server().url, max: 50 });
    for (const table of ['public.made_1', 'public.made_2']) {
      const claims = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          postgresDedupe(
            through(() => many),
            { table },
          ).claim('key', `attempt_${n}`),
        ),
      );
      expect(claims.filter(({ state }) => state === 'claimed')).toHaveLength(1);
    }
    await many.end();
  });

  test('takes no lock and needs no permission to create tables if its table exists', async () => {
    await run(['CREATE SCHEMA app', ...postgresDdl('app.there'), 'CREATE ROLE writer LOGIN']);
    await run([
      'GRANT USAGE ON SCHEMA app TO writer',
      'GRANT SELECT, INSERT, UPDATE, DELETE ON app.there TO writer',
    ]);
    const maker = await pool().connect();
    const writer = await pool().connect();
    try {
      await maker.query('BEGIN');
      await maker.query('SELECT pg_advisory_xact_lock(1668247156)');
      await writer.query('SET ROLE writer');
      const store = postgresDedupe(
        through(() => writer),
        { table: 'app.there' },
      );
      expect(await store.claim('key', 'a')).toEqual({ state: 'claimed' });
    } finally {
      await maker.query('ROLLBACK');
      await writer.query('RESET ROLE');
      maker.release();
      writer.release();
    }
  });

  test('creates no table with createTable: false, and the DDL works in a migration, twice', async () => {
    const store = postgresDedupe(query, { table: 'by_hand', createTable: false });
    await expect(store.claim('key', 'a')).rejects.toThrow('by_hand');
    await run([...postgresDdl('by_hand'), ...postgresDdl('by_hand')]);
    expect(await store.claim('key', 'a')).toEqual({ state: 'claimed' });
  });

  test('retries creating the table after a failure, and behind a statement that hangs', async () => {
    const outcomes = [Promise.reject(new Error('database is down')), new Promise<never>(() => {})];
    const store = postgresDedupe((...sent) => outcomes.shift() ?? query(...sent), {
      table: 'late',
    });
    await expect(store.claim('key', 'a')).rejects.toThrow('database is down');
    void store.claim('key', 'a');
    expect(await store.claim('key', 'b')).toEqual({ state: 'claimed' });
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
    test('commits effect and mark together, and a COMMIT that rolled back in silence is no success', async () => {
      let breaks = true;
      const { send, callback } = setUp({ dedupe: postgresDedupe(query) });
      callback.mockImplementation(({ id }, { commitWith }) =>
        transaction(id, async (within, client) => {
          await commitWith(within);
          // PostgreSQL then answers the COMMIT with ROLLBACK, and no error.
          if (breaks) await client.query('SELECT 1 / 0').catch(() => {});
        }),
      );
      const again = () => send(usage, { id: 'msg_silent' });
      expect(await again()).toEqual(failed);
      expect(await effects('msg_silent')).toBe(0);
      breaks = false;
      expect(await again()).toEqual(processed);
      expect(await again()).toEqual(duplicate);
      expect(await effects('msg_silent')).toBe(1);
    });

    test('commits or rolls back with the transaction of postgres.js', async () => {
      const sql = postgres(server().url, { max: 2, onnotice: () => {} });
      onTestFinished(() => sql.end());
      let breaks = true;
      const { send, callback } = setUp({ dedupe: postgresDedupe(query) });
      callback.mockImplementation(({ id }, { commitWith }) =>
        sql.begin(async (within) => {
          await within`INSERT INTO effects VALUES (${id})`;
          await commitWith(async (text, params) => ({
            rows: await within.unsafe(text, params as never[]),
          }));
          if (breaks) throw new Error('the payment was refused');
        }),
      );
      const again = () => send(usage, { id: 'msg_other_client' });
      expect(await again()).toEqual(failed);
      expect(await effects('msg_other_client')).toBe(0);
      breaks = false;
      expect(await again()).toEqual(processed);
      expect(await again()).toEqual(duplicate);
      expect(await effects('msg_other_client')).toBe(1);
    });

    test('while a transaction is still open, another delivery gets a 503 without waiting for it', async () => {
      const isMarked = Promise.withResolvers<void>();
      const resume = Promise.withResolvers<void>();
      // A statement that waited for the transaction would hang: there is no timeout.
      const { send, callback } = setUp({ dedupe: postgresDedupe(query), storeTimeoutMs: 600_000 });
      callback.mockImplementation(({ id }, { commitWith }) =>
        transaction(id, async (within) => {
          await commitWith(within);
          isMarked.resolve();
          await resume.promise;
        }),
      );
      const again = () => send(usage, { id: 'msg_open' });
      const first = again();
      await isMarked.promise;
      const retryAfter = expect.stringMatching(/^\d+$/);
      expect(await again()).toEqual({ http: 503, retryAfter, code: 'in_flight' });
      resume.resolve();
      expect(await first).toEqual(processed);
      expect(await again()).toEqual(duplicate);
    });

    test('rolls back the attempt that lost its lease, so two callbacks have one effect', async () => {
      const entered = Promise.withResolvers<void>();
      const resume = Promise.withResolvers<void>();
      const dedupe = { ...postgresDedupe(query), renew: async () => true };
      const { send, callback } = setUp({ dedupe });
      callback.mockImplementation(async ({ id }, { commitWith }) => {
        if (callback.mock.calls.length === 1) {
          entered.resolve();
          await resume.promise;
        }
        await transaction(id, commitWith);
      });
      const first = send(usage, { id: 'msg_slow' });
      await entered.promise;
      await expire('msg_slow');
      expect(await send(usage, { id: 'msg_slow' })).toEqual(processed);
      resume.resolve();
      expect((await first).http).toBe(503);
      expect(callback).toHaveBeenCalledTimes(2);
      expect(await effects('msg_slow')).toBe(1);
    });

    test.each([
      ['over the pool itself, beside the transaction,', 'pool', false],
      ['over the pool itself, although the callback ignores the error,', 'pool', true],
      ['in a savepoint that was rolled back', 'savepoint', false],
      ['that nobody awaits', 'floating', false],
    ])('%s fails the delivery, which is not marked as done', async (_name, misuse, ignores) => {
      const id = `msg_${misuse}_${ignores}`;
      let isWrong = true;
      const { send, callback, logger } = setUp({ dedupe: postgresDedupe(query) });
      callback.mockImplementation(({ id }, { commitWith }) =>
        transaction(id, async (within, client) => {
          if (!isWrong) return commitWith(within);
          if (misuse === 'pool') {
            const marking = commitWith(query);
            await (ignores ? marking.catch(() => {}) : marking);
            throw new Error('the payment was refused');
          }
          if (misuse === 'floating') return void commitWith(() => new Promise(() => {}));
          await client.query('SAVEPOINT mark');
          await commitWith(within);
          await client.query('ROLLBACK TO mark');
        }),
      );
      expect(await send(usage, { id })).toEqual(failed);
      isWrong = false;
      expect(await send(usage, { id })).toEqual(processed);
      expect(logger.lines).toHaveLength(1);
    });

    test.each(['REPEATABLE READ', 'SERIALIZABLE'])(
      'in a %s transaction succeeds although the lease was renewed in it',
      async (level) => {
        const id = `msg_${level.replace(' ', '_')}`;
        const store = postgresDedupe(query, { leaseMs: 1000 });
        const { send, callback } = setUp({ dedupe: store });
        callback.mockImplementation((_, { attemptId, commitWith }) => {
          const work = async (within: SqlQuery) => {
            for (let turn = 0; turn < 3; turn++)
              expect(await store.renew(id, attemptId)).toBe(true);
            await commitWith(within);
          };
          return transaction(id, work, `BEGIN ISOLATION LEVEL ${level}`);
        });
        expect(await send(usage, { id })).toEqual(processed);
        expect(await effects(id)).toBe(1);
      },
    );

    test('in a SERIALIZABLE transaction fails once another attempt has taken over', async () => {
      const store = postgresDedupe(query);
      await store.claim('taken', 'a');
      const work = async (within: SqlQuery) => {
        await expire();
        expect(await store.claim('taken', 'b')).toEqual({ state: 'claimed' });
        await store.commitWith?.(within, 'taken', 'a');
      };
      const losing = transaction('taken', work, 'BEGIN ISOLATION LEVEL SERIALIZABLE');
      await expect(losing).rejects.toMatchObject({ code: '40001' });
      expect(await effects('taken')).toBe(0);
    });
  });
});
