import {
  type InstanceContext,
  type SimulateOptions,
  type SqlConnection,
  type SqlDatabase,
  simulate,
  sqlDisk,
} from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect, test } from 'vitest';
import { failureOf, silent } from './counter.ts';

const schema = `
  CREATE TABLE accounts (id text PRIMARY KEY, credits int NOT NULL);
  CREATE TABLE entries (id serial PRIMARY KEY, account text NOT NULL REFERENCES accounts, request_id text UNIQUE);
  CREATE TABLE jobs (id text PRIMARY KEY, account text, done boolean NOT NULL DEFAULT false);
  INSERT INTO accounts VALUES ('a', 100), ('b', 100)`;

type Charge = (db: SqlConnection, requestId: string) => Promise<unknown>;

/** Charges one credit for each result, in a transaction on a connection. */
const shop =
  (charge: Charge, attempts = 1) =>
  async ({ client, secret, disk, url }: InstanceContext) => {
    const db = await sqlDisk(disk, { schema });
    async function once(requestId: string): Promise<void> {
      const connection = await db.connect();
      try {
        await connection.query('BEGIN');
        await charge(connection, requestId);
        await connection.query('COMMIT');
      } catch (error) {
        await connection.query('ROLLBACK');
        throw error;
      } finally {
        connection.release();
      }
    }
    async function repeated(requestId: string): Promise<void> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(requestId);
        } catch (error) {
          if (attempt >= attempts) throw error;
        }
      }
    }
    return {
      db,
      order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
      webhooks: createWebhookHandler({
        secret,
        logger: silent,
        on: { generation_completed: ({ payload }) => repeated(`${payload.requestId}`) },
      }),
    };
  };

type Shop = Awaited<ReturnType<ReturnType<typeof shop>>>;

const options = (charge: Charge, seeds: number, attempts?: number): SimulateOptions<Shop> => ({
  seeds,
  shrinkMs: 0,
  chaos: {},
  replicas: 2,
  app: shop(charge, attempts),
  receive: ({ webhooks }) => webhooks,
  run: ({ app }) => Promise.allSettled(['a', 'b', 'c', 'd'].map(app.order)),
  check: async ({ disk, mock }) => {
    const db = await sqlDisk(disk, { schema });
    const { rows } = await db.query<{ credits: number }>(
      "SELECT credits FROM accounts WHERE id = 'a'",
    );
    expect(100 - (rows[0]?.credits ?? 0)).toBe(mock.generations().completed.length);
  },
});

const mark = async (db: SqlConnection, requestId: string): Promise<boolean> => {
  const insert =
    "INSERT INTO entries (account, request_id) VALUES ('a', $1) ON CONFLICT DO NOTHING";
  return (await db.query(insert, [requestId])).rowCount > 0;
};
const read = async (db: SqlConnection, clause = '') => {
  const { rows } = await db.query<{ credits: number }>(
    `SELECT credits FROM accounts WHERE id = 'a' ${clause}`,
  );
  return rows[0]?.credits ?? 0;
};
const write = (db: SqlConnection, credits: number) =>
  db.query("UPDATE accounts SET credits = $1 WHERE id = 'a'", [credits]);

const found: Record<string, Charge> = {
  'a balance that is read and written back': async (db) => {
    await write(db, (await read(db)) - 1);
  },
  'a balance that is read after the mark, and written back': async (db, requestId) => {
    if (await mark(db, requestId)) await write(db, (await read(db)) - 1);
  },
};

test.each(Object.keys(found))(
  '%s loses an update, which is found within 30 seeds',
  async (name) => {
    const error = await failureOf(simulate(options(found[name] as Charge, 30)));
    expect(error.message).toContain('Faults needed to reproduce it: none.');
  },
);

const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? 5);

const right: Record<string, [charge: Charge, attempts?: number]> = {
  'FOR UPDATE': [
    async (db, requestId) => {
      if (await mark(db, requestId)) await write(db, (await read(db, 'FOR UPDATE')) - 1);
    },
  ],
  'credits = credits - 1': [
    async (db, requestId) => {
      if (!(await mark(db, requestId))) return;
      await db.query("UPDATE accounts SET credits = credits - 1 WHERE id = 'a'");
    },
  ],
  'an advisory lock': [
    async (db, requestId) => {
      await db.query('SELECT pg_advisory_xact_lock(1)');
      if (await mark(db, requestId)) await write(db, (await read(db)) - 1);
    },
  ],
  'a savepoint': [
    async (db, requestId) => {
      await db.query('SAVEPOINT first');
      if (await mark(db, requestId)) await write(db, (await read(db, 'FOR UPDATE')) - 1);
      await db.query('RELEASE SAVEPOINT first');
    },
    5,
  ],
  'SERIALIZABLE, repeated when it fails': [
    async (db, requestId) => {
      await db.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
      if (await mark(db, requestId)) await write(db, (await read(db)) - 1);
    },
    5,
  ],
  'optimistic locking': [
    async (db, requestId) => {
      if (!(await mark(db, requestId))) return;
      const credits = await read(db);
      const update = "UPDATE accounts SET credits = $1 WHERE id = 'a' AND credits = $2";
      const { rowCount } = await db.query(update, [credits - 1, credits]);
      if (rowCount === 0) throw new Error('changed in between');
    },
    10,
  ],
};

test.each(Object.keys(right))(
  'with %s, no update is lost',
  async (name) => {
    const [charge, attempts] = right[name] as [Charge, number?];
    const { runs } = await simulate(options(charge, seeds, attempts));
    expect(runs).toBe(seeds);
  },
  600_000,
);

test('a swallowed error of a commit is found, and a repeated transaction survives every fault of the database', async () => {
  const charge: Charge = async (db, requestId) => {
    if (!(await mark(db, requestId))) return;
    await db.query("UPDATE accounts SET credits = credits - 1 WHERE id = 'a'");
  };
  const chaos = { database: 0.2 };
  const { coverage } = await simulate({ ...options(charge, Math.max(seeds, 10)), chaos });
  expect(Object.keys(coverage).sort()).toEqual([
    'database × sql.commit',
    'database × sql.connect',
    'database × sql.statement',
  ]);
  const swallowing: Charge = async (db, requestId) => {
    await charge(db, requestId);
    await db.query('COMMIT').catch(() => {});
  };
  const error = await failureOf(simulate({ ...options(swallowing, 60), chaos }));
  expect(error.faults).toContain('database × sql.commit');
}, 600_000);

/** Runs once, without faults, and returns what `use` of two connections returned. */
async function between<T>(
  use: (one: SqlConnection, other: SqlConnection, db: SqlDatabase) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  await simulate({
    seeds: 1,
    chaos: {},
    shrinkMs: 0,
    app: async ({ disk }: InstanceContext) => sqlDisk(disk, { schema }),
    receive: () => () => new Response(),
    run: async ({ app }) => {
      const [one, other] = [await app.connect(), await app.connect()];
      results.push(await use(one, other, app));
    },
  });
  return results;
}

const codeOf = (pending: Promise<unknown>) =>
  pending.then(
    () => 'none',
    (error: { code?: string }) => `${error.code}`,
  );

test('a transaction sees its own writes, others see them after the commit', async () => {
  const [seen] = await between(async (one, other, db) => {
    await one.query('BEGIN');
    await write(one, 1);
    await one.query("DELETE FROM accounts WHERE id = 'b'");
    const outside = await read(other);
    const { rows: left } = await db.query('SELECT id FROM accounts');
    const inside = await read(one);
    await one.query('COMMIT');
    const { rows } = await db.query('SELECT * FROM accounts');
    return [outside, left.length, inside, rows];
  });
  expect(seen).toEqual([100, 2, 1, [{ id: 'a', credits: 1 }]]);
});

test('a key that another transaction adds is waited for', async () => {
  const [seen] = await between(async (one, other) => {
    await one.query('BEGIN');
    await mark(one, 'r');
    let second: boolean | undefined;
    const waiting = mark(other, 'r').then((isNew) => {
      second = isNew;
    });
    await read(one);
    const before = second;
    await one.query('COMMIT');
    await waiting;
    return [before, second];
  });
  expect(seen).toEqual([undefined, false]);
});

test('SKIP LOCKED skips what others hold, NOWAIT fails, and a circle of waits is a deadlock', async () => {
  const [seen] = await between(async (one, other) => {
    await one.query("INSERT INTO jobs VALUES ('1'), ('2')");
    const take = `UPDATE jobs SET done = true
      WHERE id = (SELECT id FROM jobs WHERE NOT done ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`;
    await one.query('BEGIN');
    await other.query('BEGIN');
    const taken = [
      (await one.query(take)).rows,
      (await other.query(take)).rows,
      (await other.query(take)).rows,
    ];
    const held = await codeOf(other.query("SELECT FROM jobs WHERE id = '1' FOR UPDATE NOWAIT"));
    await other.query('ROLLBACK');
    await other.query('BEGIN');
    await other.query("UPDATE accounts SET credits = 0 WHERE id = 'b'");
    const attempt = async (connection: SqlConnection, update: string) => {
      const code = await codeOf(connection.query(update));
      const after = code === 'none' ? 'none' : await codeOf(connection.query('SELECT 1'));
      await connection.query(code === 'none' ? 'COMMIT' : 'ROLLBACK');
      return `${code} ${after}`;
    };
    const both = await Promise.all([
      attempt(other, "UPDATE jobs SET account = 'a' WHERE id = '1'"),
      attempt(one, "UPDATE accounts SET credits = 1 WHERE id = 'b'"),
    ]);
    return [taken, held, both.sort()];
  });
  expect(seen).toEqual([[[{ id: '1' }], [{ id: '2' }], []], '55P03', ['40P01 25P02', 'none none']]);
});

test('the number and the time of a transaction stay as they are', async () => {
  const [seen] = await between(async (one, other) => {
    const ask = async () => (await one.query('SELECT txid_current() AS id, now() AS at')).rows;
    await one.query('BEGIN');
    const before = await ask();
    await write(one, 5);
    await read(other);
    await other.query('SELECT pg_sleep(0)');
    return [
      before,
      await ask(),
      await codeOf(other.query('SELECT pg_advisory_lock(1)')),
      await one.query('ROLLBACK'),
    ];
  });
  expect(seen?.[0]).toEqual(seen?.[1]);
  expect(seen?.[2]).toBe('undefined');
});
