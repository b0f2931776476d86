import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StoreSnapshot } from '../../../mock-server/domain/ports.ts';
import { createMockServer, type MockServerOptions } from '../../../mock-server/index.ts';
import { schemaOf } from '../../../mock-server/stores/postgres/schema.ts';
import type { PostgresPool } from '../../../mock-server/stores/postgres/session.ts';
import { type PostgresStoreOptions, postgresStore } from '../../../mock-server/stores/postgres.ts';
import { needs } from '../../support/needs.ts';
import { withPgBouncer } from '../../support/servers.ts';
import { command } from '../cli/command.ts';
import { byAge, byCount, expectBoundedAge, expectBoundedCount } from './retention.ts';
import { testDatabase } from './test-database.ts';

describe.runIf(needs('postgres'))('in PostgreSQL', () => {
  const database = testDatabase();
  const { newSchema, open } = database;

  /** A server that shares a schema, once it is known who leads. */
  async function join(
    schema: string,
    options: MockServerOptions & PostgresStoreOptions & { pool?: PostgresPool } = {},
  ) {
    const { takeoverMs = 5000, url, pool: own = database.pool, ...rest } = options;
    const store = postgresStore(own, { schema, takeoverMs, ...(url !== undefined && { url }) });
    const mock = createMockServer({ clock: 'manual', seed: 1, onError: () => {}, ...rest, store });
    onTestFinished(() => mock.close());
    await mock.leadership?.known(10_000);
    return mock;
  }

  /** Ends the session of the leader, which holds its lock. */
  async function depose(schema: string) {
    const [lockClass, lockId] = schemaOf(schema).lockKeys;
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${lockClass} AND objid = ${lockId >>> 0}::bigint::oid`,
    );
  }

  test('the stored history is bounded', async () => {
    const schema = newSchema();
    const rows = async () => {
      const sql = `SELECT count(*) FROM ${schema}.rows WHERE kind = 'generations'`;
      return Number((await database.pool.query(sql)).rows[0].count);
    };
    const counted = await join(schema, byCount);
    await expectBoundedCount(counted);
    await counted.flushed();
    expect(await rows()).toBeLessThanOrEqual(22);
    await expectBoundedAge(await join(newSchema(), byAge));
  });

  test('many lines of a log share a row', async () => {
    const name = newSchema();
    const { session, schema } = await open(name);
    const lines = async () => {
      const mock = await join(name);
      const { events } = mock.snapshot().state;
      await mock.close();
      return ((events ?? []) as readonly { id: string }[]).map(({ id }) => id);
    };
    const first = await lines();
    const stored = await session.query<{ id: string }>(
      `SELECT id FROM ${schema.rows} WHERE kind = 'events'`,
    );
    expect(stored.length).toBeLessThan(first.length);
    expect(await lines()).toEqual(expect.arrayContaining(first));
  });

  test('a process that takes over has the state of the one that left', async () => {
    const schema = newSchema();
    const first = await join(schema);
    const second = await join(schema);
    expect([first, second].map((mock) => mock.leadership?.leading)).toEqual([true, false]);
    expect(second.organization).toBe(first.organization);
    expect(second.signingSecret).toBe(first.signingSecret);
    const key = first.memberKey;
    await generate(first, key);
    const { now: _, ...before } = withoutClock(first.snapshot().state as StoreSnapshot);
    const took = takesOver(second);
    await first.close();
    await took;
    const { now: __, ...after } = withoutClock(second.snapshot().state as StoreSnapshot);
    expect(after).toEqual(before);
    expect((await generate(second, key)).status).toBe(200);
  });

  test('a leader that leads again still knows the keys that it issued', async () => {
    const schema = newSchema();
    const mock = await join(schema);
    const first = mock.access();
    expect(first).toMatchObject({ adminKey: mock.adminKey, memberKey: mock.memberKey });
    await mock.flushed();
    await depose(schema);
    await expect.poll(() => mock.leadership?.leading, { interval: 5 }).toBe(false);
    await expect.poll(() => mock.leadership?.leading, { timeout: 10_000 }).toBe(true);
    expect(mock.resumed).toBe(true);
    expect(mock.access()).toEqual(first);
  });

  test('a standby responds 503 with Retry-After, and its control calls say who to ask', async () => {
    const schema = newSchema();
    const first = await join(schema, { url: 'http://127.0.0.1:9' });
    const second = await join(schema);
    const response = await generate(second, first.memberKey);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(() => second.snapshot()).toThrow(/standby.*leader/);
  });

  test('a standby follows the leader: a rotated secret, and the state of another server', async () => {
    const schema = newSchema();
    const leader = await join(schema);
    const standby = await join(schema);
    const response = await leader.fetch(`${leader.baseUrl}/api/webhooks/signing-secret/rotate`, {
      method: 'POST',
      headers: { 'x-api-key': leader.adminKey },
    });
    const { secret } = (await response.json()) as { secret: string };
    await expect.poll(() => standby.signingSecret, { timeout: 10_000 }).toBe(secret);
    const other = createMockServer({ seed: 2 });
    leader.restore(other.snapshot());
    await expect.poll(() => standby.organization, { timeout: 10_000 }).toBe(other.organization);
    expect(standby.signingSecret).toBe(other.signingSecret);
    await other.close();
  });

  test('listeners and receivers outlive a change of the leader', async () => {
    const schema = newSchema();
    const first = await join(schema);
    const second = await join(schema);
    const seen: string[] = [];
    second.onEvent(({ type }) => seen.push(type));
    const got: string[] = [];
    second.receivers.set('https://app.example/hooks', async (request) => {
      got.push(request.url);
      return new Response();
    });
    const key = first.memberKey;
    const took = takesOver(second);
    await first.close();
    await took;
    await generate(second, key, { webhookUrl: 'https://app.example/hooks' });
    await second.settle();
    expect(got).toEqual(['https://app.example/hooks']);
    expect(seen).toContain('delivery.delivered');
  });

  test('a leader whose session is ended becomes a standby and can lead again', async () => {
    const schema = newSchema();
    const mock = await join(schema);
    await mock.flushed();
    const key = mock.memberKey;
    await generate(mock, key);
    const deposed = changes(mock);
    await depose(schema);
    await deposed;
    await mock.leadership?.known(10_000);
    expect((await generate(mock, key)).status).toBe(200);
    expect([mock.resumed, mock.memberKey]).toEqual([true, key]);
  });

  test('onError is called once when the database rejects writes, however many requests fail', async () => {
    const schema = newSchema();
    const errors: unknown[] = [];
    const mock = await join(schema, { onError: (error) => void errors.push(error) });
    await mock.flushed();
    const key = mock.memberKey;
    const statuses = async () => {
      const responses = await Promise.all(Array.from({ length: 10 }, () => generate(mock, key)));
      return [...new Set(responses.map(({ status }) => status))];
    };
    const { rows } = schemaOf(schema);
    await database.pool.query(
      `ALTER TABLE ${rows} ADD CONSTRAINT refusing CHECK (kind = '') NOT VALID`,
    );
    for (let turn = 0; turn < 3; turn += 1) expect(await statuses()).toEqual([503]);
    expect(errors).toEqual([expect.objectContaining({ code: '23514' })]);
    await database.pool.query(`ALTER TABLE ${rows} DROP CONSTRAINT refusing`);
    expect(await statuses()).toEqual([200]);
    expect(errors).toHaveLength(1);
  });

  test('requests that fail because the leader is deposed are not reported as errors', async () => {
    const schema = newSchema();
    const errors: unknown[] = [];
    const mock = await join(schema, { onError: (error) => void errors.push(error) });
    await mock.flushed();
    const key = mock.memberKey;
    for (let turn = 0; turn < 3; turn += 1) {
      const responses = Array.from({ length: 20 }, () => generate(mock, key));
      await depose(schema);
      responses.push(...Array.from({ length: 20 }, () => generate(mock, key)));
      for (const { status } of await Promise.all(responses)) expect([200, 503]).toContain(status);
      await takesOver(mock);
    }
    expect(errors).toEqual([]);
  });

  test('no statement is JIT-compiled, which would cost the database hundreds of milliseconds each time', async () => {
    const schema = newSchema();
    const plans: Promise<string>[] = [];
    const watched: PostgresPool = {
      async connect() {
        const client = await database.pool.connect();
        const plan = async ({ text, values }: { text: string; values?: unknown[] }) => {
          const { rows } = await client.query({
            text: `EXPLAIN ${text}`,
            ...(values && { values }),
          });
          return rows.map((row) => row['QUERY PLAN']).join('\n');
        };
        return {
          query(query) {
            if (query.name !== undefined) plans.push(plan(query));
            return client.query(query);
          },
          on: (event, listener) => client.on(event, listener),
          release: (destroy) => client.release(destroy),
        };
      },
    };
    const leader = await join(schema, { pool: watched, takeoverMs: 500 });
    await generate(leader, leader.memberKey);
    const beaten = plans.length;
    await join(schema, { pool: watched, takeoverMs: 500 });
    await expect.poll(() => plans.length).toBeGreaterThan(beaten + 10);
    const found = (await Promise.all(plans)).join('\n');
    for (const table of ['rows', 'leader', 'pg_lock_status']) expect(found).toContain(table);
    expect(found).not.toContain('JIT');
  });

  test.runIf(needs('pgbouncer'))(
    'behind a pooler in transaction mode, processes that share a session say so and do not lead together',
    async () => {
      const bouncer = await withPgBouncer(database.port);
      const schema = newSchema();
      const pools: pg.Pool[] = [];
      onTestFinished(async () => {
        await Promise.all(pools.map((one) => one.end().catch(() => {})));
        await bouncer.stop();
      });
      const errors: string[] = [];
      const start = () => {
        const own = new pg.Pool({ connectionString: bouncer.url, max: 2 });
        own.on('error', () => {});
        pools.push(own);
        const store = postgresStore(own, { schema, takeoverMs: 500 });
        const onError = (error: unknown) => void errors.push(String(error));
        const mock = createMockServer({ clock: 'manual', seed: 1, onError, store });
        onTestFinished(() => mock.close());
        return mock;
      };
      const mocks = [start(), start(), start()];
      const patience = { timeout: 30_000, interval: 5 };
      await expect
        .poll(() => errors.some((error) => error.includes('pooler in session mode')), patience)
        .toBe(true);
      // Of two that share a session, one might lead until it notices.
      const leading = () => mocks.filter(({ leadership }) => leadership?.leading).length;
      await expect.poll(leading, patience).toBeLessThan(2);
      const started = await command(['mock', '--port', '0', '--data', bouncer.url]);
      expect([started.code, started.stderr]).toEqual([
        2,
        expect.stringContaining('or through a pooler in session mode.'),
      ]);
    },
  );

  test('tables of a newer contentgen are not touched', async () => {
    const name = newSchema();
    const { session } = await open(name);
    await session.query(`UPDATE ${schemaOf(name).leader} SET version = 99`);
    const errors: unknown[] = [];
    const mock = createMockServer({
      store: postgresStore(database.pool, { schema: name }),
      onError: (error) => void errors.push(error),
    });
    onTestFinished(() => mock.close());
    while (errors.length === 0) await new Promise(setImmediate);
    expect(String(errors[0])).toMatch(/version 99.*Update contentgen/);
    expect(mock.leadership?.leading).toBe(false);
  });

  test.each([
    [{ schema: 'x"; DROP TABLE y' }, /schema must be/],
    [{ takeoverMs: Number.NaN }, /takeoverMs must be/],
    [{ takeoverMs: 10 }, /takeoverMs must be/],
    [{ url: 'nowhere' }, /url must be/],
  ])('the options %j are rejected', (options, message) => {
    expect(() => postgresStore(database.pool, options)).toThrow(message);
  });
});

type Mock = ReturnType<typeof createMockServer>;

const generate = (mock: Mock, key: string, body: object = {}) =>
  mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'x', ...body }),
  });

function changes({ leadership }: Mock): Promise<void> {
  return new Promise((resolve) => leadership?.onChange(resolve));
}

async function takesOver(mock: Mock): Promise<void> {
  while (!mock.leadership?.leading) await changes(mock);
}

/** Rows by table, without the saved initial state. */
function withoutClock({ counters, ...tables }: StoreSnapshot): Record<string, unknown> {
  return { ...tables, counters: counters?.filter(({ id }) => id !== 'initial-state') };
}
