import { type SqlConnection, simulate, sqlDisk } from 'contentgen/simulate';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { expect, test } from 'vitest';
import { testApplications } from './application-tests.ts';
import { failureOf } from './counter.ts';
import {
  between,
  type Charge,
  charge,
  charging,
  mark,
  onConnection,
  read,
  write,
} from './sql-shop.ts';

// All tests with PostgreSQL are in this file: PGlite takes long to start.
testApplications('ledger');

const inCi = process.env['CI'] === 'true';
const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? (inCi ? 30 : 3));
const crashes = { crash: 0.05, pause: 0.02, loseAnswer: 0.1, duplicate: 0.2, reorder: 0.2 };

test('what was committed survives a crash, and an open transaction is rolled back', async () => {
  const options = charging((db, requestId) => db.transaction((tx) => charge(tx, requestId)));
  const { coverage } = await simulate({ ...options, chaos: crashes, seeds: Math.max(seeds, 20) });
  expect(Object.keys(coverage)).toContain('crash before × sql.commit');
  expect(Object.keys(coverage)).toContain('crash after × sql.commit');
  expect(Object.keys(coverage)).toContain('crash after × sql.insert');
});

test('BEGIN on a connection that a crash interrupts is rolled back, also with other replicas', async () => {
  const options = charging(onConnection(charge), { chaos: crashes, seeds, replicas: 3 });
  expect((await simulate(options)).runs).toBe(seeds);
});

test('postgresDedupe with commitWith runs its own statements', async () => {
  const options = charging(
    (db, _, { commitWith }) =>
      db.transaction(async (tx) => {
        await tx.query("UPDATE accounts SET credits = credits - 1 WHERE id = 'a'");
        await commitWith(tx.query);
      }),
    { dedupe: (db) => postgresDedupe(db.query), chaos: crashes, seeds },
  );
  expect((await simulate(options)).runs).toBe(seeds);
});

test('time, random numbers and ids of the database come from the seed', async () => {
  async function seenIn(seed: number) {
    let seen: object[] = [];
    const options = charging(onConnection(charge), {
      seeds: { from: seed, count: 1 },
      async check({ disk, mock }) {
        const db = await sqlDisk(disk);
        const { rows } = await db.query<{ now: Date; id: string; number: number }>(
          'SELECT now(), gen_random_uuid() AS id, random() AS number, txid_current()',
        );
        expect(rows[0]?.now.getTime()).toBe(mock.clock.now());
        expect(rows[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
        seen = rows;
      },
    });
    await simulate(options);
    return seen;
  }
  const first = await seenIn(1);
  expect(await seenIn(1)).toEqual(first);
  expect(await seenIn(2)).not.toEqual(first);
});

test('a failing seed has the same trace in every simulation', async () => {
  const options = charging(onConnection(charge), { chaos: crashes, seeds: { from: 7, count: 1 } });
  const fails = { ...options, check: () => expect.fail('as planned') };
  const first = await failureOf(simulate(fails));
  await simulate({ ...options, seeds: { from: 1, count: 1 } });
  expect((await failureOf(simulate(fails))).traceHash).toBe(first.traceHash);
});

test('a balance that is read and written back loses an update, which is found within 30 seeds', async () => {
  const lost: Charge = async (db) => void (await write(db, (await read(db)) - 1));
  const error = await failureOf(simulate(charging(onConnection(lost), { seeds: 30 })));
  expect(error.message).toContain('Faults needed to reproduce it: none.');
  expect(error.timeline).toContain('sql.update accounts');
});

const right: Record<string, [charge: Charge, attempts?: number]> = {
  'FOR UPDATE': [
    async (db, requestId) => {
      if (await mark(db, requestId)) await write(db, (await read(db, 'FOR UPDATE')) - 1);
    },
  ],
  'an advisory lock': [
    async (db, requestId) => {
      await db.query('SELECT pg_advisory_xact_lock(1)');
      if (await mark(db, requestId)) await write(db, (await read(db)) - 1);
    },
  ],
  'SERIALIZABLE, repeated when it fails': [
    async (db, requestId) => {
      await db.query('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
      if (await mark(db, requestId)) await write(db, (await read(db)) - 1);
    },
    5,
  ],
};

test.each(Object.keys(right))(
  'with %s, no update is lost',
  async (name) => {
    const [work, attempts] = right[name] as [Charge, number?];
    const { runs } = await simulate(charging(onConnection(work, attempts), { seeds }));
    expect(runs).toBe(seeds);
  },
  600_000,
);

test('a transaction survives every fault of the database', async () => {
  const options = { chaos: { database: 0.2 }, seeds };
  const { coverage } = await simulate(charging(onConnection(charge), options));
  expect(Object.keys(coverage).sort()).toEqual([
    'database × sql.commit',
    'database × sql.connect',
    'database × sql.statement',
  ]);
}, 600_000);

const codeOf = (pending: Promise<unknown>) =>
  pending.then(
    () => 'none',
    (error: { code?: string }) => `${error.code}`,
  );

test('a transaction sees its own writes, others see them after the commit', async () => {
  const seen = await between(async (one, other, db) => {
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
  const seen = await between(async (one, other) => {
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

test('NOWAIT fails at a row that is held, and a circle of waits is a deadlock', async () => {
  const seen = await between(async (one, other) => {
    await one.query("INSERT INTO jobs VALUES ('1'), ('2')");
    await one.query('BEGIN');
    await other.query('BEGIN');
    await one.query("UPDATE jobs SET done = true WHERE id = '1'");
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
    return [held, both.sort()];
  });
  expect(seen).toEqual(['55P03', ['40P01 25P02', 'none none']]);
});

test('a statement that fails rejects with the code of PostgreSQL, and misuse says what is wrong', async () => {
  await between(async (one, other, db) => {
    expect(await codeOf(db.query('SELECT * FROM nowhere'))).toBe('42P01');
    expect((await db.query('SELECT 2::int8 AS big')).rows).toEqual([{ big: '2' }]);
    await expect(db.query('BEGIN')).rejects.toThrow('its own connection');
    await expect(other.query('SELECT pg_advisory_lock(1)')).rejects.toThrow('advisory locks');
    await one.query('BEGIN');
    expect(() => one.release()).toThrow('in the middle of a transaction');
  });
  const disk = { open: () => expect.fail('not opened') };
  await expect(sqlDisk(disk)).rejects.toThrow('the disk of the context');
});
