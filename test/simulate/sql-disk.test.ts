import {
  type InstanceContext,
  type RunContext,
  type SimulateOptions,
  type SqlDatabase,
  simulate,
  sqlDisk,
} from 'contentgen/simulate';
import {
  createWebhookHandler,
  type WebhookContext,
  type WebhookHandlerOptions,
} from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { expect, test } from 'vitest';
import { failureOf, silent } from './counter.ts';

const schema = `
  CREATE TABLE effects (id serial PRIMARY KEY, request_id text NOT NULL);
  CREATE TABLE marks (webhook_id text PRIMARY KEY);`;

type Effect = (
  db: SqlDatabase,
  event: { readonly id: string; readonly requestId: string },
  context: WebhookContext,
) => Promise<unknown>;

const insertEffect = 'INSERT INTO effects (request_id) VALUES ($1)';
const insertMark = 'INSERT INTO marks VALUES ($1) ON CONFLICT DO NOTHING';

/** An application that keeps the effects of its callbacks in PostgreSQL. */
const application =
  (effect: Effect, dedupe?: (db: SqlDatabase) => WebhookHandlerOptions['dedupe']) =>
  async ({ client, secret, disk, url }: InstanceContext) => {
    const db = await sqlDisk(disk, { schema });
    const store = dedupe?.(db);
    return {
      order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
      webhooks: createWebhookHandler({
        secret,
        logger: silent,
        ...(store && { dedupe: store }),
        on: {
          generation_completed: ({ id, payload }, context) =>
            effect(db, { id, requestId: `${payload.requestId}` }, context),
        },
      }),
    };
  };

type App = Awaited<ReturnType<ReturnType<typeof application>>>;

async function effects({ disk }: Pick<RunContext<App>, 'disk'>): Promise<string[]> {
  const db = await sqlDisk(disk, { schema });
  const { rows } = await db.query<{ request_id: string }>('SELECT request_id FROM effects');
  return rows.map(({ request_id }) => request_id);
}

const inCi = process.env['CI'] === 'true';
const seeds = inCi ? 60 : 5;

const optionsOf = (app: SimulateOptions<App>['app']): SimulateOptions<App> => ({
  app,
  effects,
  seeds,
  shrinkMs: 2000,
  chaos: { crash: 0.05, pause: 0.02, loseAnswer: 0.1, duplicate: 0.2, reorder: 0.2 },
  receive: ({ webhooks }) => webhooks,
  run: ({ app: { order } }) => Promise.allSettled(['a', 'b', 'c'].map(order)),
});

const inTransaction: Effect = (db, { id, requestId }) =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.query(insertMark, [id]);
    if (rowCount > 0) await tx.query(insertEffect, [requestId]);
  });

test('what was committed survives a crash, and an open transaction is rolled back', async () => {
  const options = { ...optionsOf(application(inTransaction)), seeds: Math.max(seeds, 20) };
  const result = await simulate(options);
  expect(Object.keys(result.coverage)).toContain('crash before × sql.commit');
  expect(Object.keys(result.coverage)).toContain('crash after × sql.commit');
  expect(Object.keys(result.coverage)).toContain('crash after × sql.insert');
});

test("replicas share the database, and wait for one another's transactions", async () => {
  const result = await simulate({ ...optionsOf(application(inTransaction)), replicas: 3 });
  expect(result.runs).toBe(seeds);
});

test('an effect and its mark in two statements are found', async () => {
  const apart: Effect = async (db, { id, requestId }) => {
    const { rowCount } = await db.query('SELECT 1 FROM marks WHERE webhook_id = $1', [id]);
    if (rowCount > 0) return;
    await db.query(insertEffect, [requestId]);
    await db.query(insertMark, [id]);
  };
  const error = await failureOf(simulate({ ...optionsOf(application(apart)), seeds: 1000 }));
  expect(error.message).toContain('had its effect 2 times');
  expect(error.timeline).toContain('sql.insert INTO effects');
});

test('BEGIN on a connection that a crash interrupts is rolled back', async () => {
  const withConnection: Effect = async (db, { id, requestId }) => {
    const connection = await db.connect();
    try {
      await connection.query('BEGIN');
      const { rowCount } = await connection.query(insertMark, [id]);
      if (rowCount > 0) await connection.query(insertEffect, [requestId]);
      await connection.query('COMMIT');
    } finally {
      connection.release();
    }
  };
  const result = await simulate(optionsOf(application(withConnection)));
  expect(result.runs).toBe(seeds);
});

test('postgresDedupe with commitWith runs its own statements', async () => {
  const committing: Effect = (db, { requestId }, { commitWith }) =>
    db.transaction(async (tx) => {
      await tx.query(insertEffect, [requestId]);
      await commitWith(tx.query);
    });
  const app = application(committing, (db) => postgresDedupe(db.query));
  const result = await simulate({ ...optionsOf(app), replicas: 2 });
  expect(result.runs).toBe(seeds);
});

test('time, random numbers and ids of the database come from the seed', async () => {
  const seen: unknown[] = [];
  const options = (seed: number): SimulateOptions<App> => ({
    ...optionsOf(application(inTransaction)),
    seeds: { from: seed, count: 1 },
    async check({ disk, mock }) {
      const db = await sqlDisk(disk);
      const { rows } = await db.query<{ now: Date; id: string; number: number }>(
        'SELECT now(), gen_random_uuid() AS id, random() AS number, txid_current()',
      );
      expect(rows[0]?.now.getTime()).toBe(mock.clock.now());
      expect(rows[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
      seen.push(rows);
    },
  });
  await simulate(options(1));
  const [first] = seen.splice(0);
  await simulate(options(1));
  expect(seen.every((rows) => JSON.stringify(rows) === JSON.stringify(first))).toBe(true);
  seen.splice(0);
  await simulate(options(2));
  expect(seen[0]).not.toEqual(first);
});

test('a failing seed has the same trace in every simulation', async () => {
  const options = { ...optionsOf(application(inTransaction)), seeds: { from: 7, count: 1 } };
  const fails = { ...options, shrinkMs: 0, check: () => expect.fail('as planned') };
  const first = await failureOf(simulate(fails));
  await simulate({ ...options, seeds: { from: 1, count: 3 } });
  expect((await failureOf(simulate(fails))).traceHash).toBe(first.traceHash);
});

/** Runs once, without faults, and returns what `use` of the database threw. */
async function thrownBy(use: (db: SqlDatabase) => Promise<unknown>): Promise<string> {
  let thrown = 'nothing';
  await simulate({
    seeds: 1,
    chaos: {},
    app: async ({ disk }: InstanceContext) => sqlDisk(disk, { schema }),
    receive: () => () => new Response(),
    run: ({ app }) =>
      use(app).catch((error: unknown) => {
        thrown = String(error);
      }),
  });
  return thrown;
}

test('BEGIN without a connection, and a release in a transaction, say what is wrong', async () => {
  expect(await thrownBy((db) => db.query('BEGIN'))).toContain('its own connection');
  const forgotten = async (db: SqlDatabase) => {
    const connection = await db.connect();
    await connection.query('BEGIN');
    connection.release();
  };
  expect(await thrownBy(forgotten)).toContain('in the middle of a transaction');
});

test('a statement that fails rejects with the code of PostgreSQL', async () => {
  let code: unknown;
  await thrownBy(async (db) => {
    const failed = db.query('SELECT * FROM nowhere');
    await failed.catch((error: { code?: string }) => {
      code = error.code;
    });
    expect((await db.query('SELECT 2::int8 AS big')).rows).toEqual([{ big: '2' }]);
  });
  expect(code).toBe('42P01');
});

test('a disk from elsewhere is rejected', async () => {
  const disk = { open: () => expect.fail('not opened') };
  await expect(sqlDisk(disk)).rejects.toThrow('the disk of the context');
});
