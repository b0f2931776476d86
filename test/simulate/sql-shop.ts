import {
  type InstanceContext,
  type SimulateOptions,
  type SqlConnection,
  type SqlDatabase,
  simulate,
  sqlDisk,
} from 'contentgen/simulate';
import {
  createWebhookHandler,
  type WebhookContext,
  type WebhookHandlerOptions,
} from 'contentgen/webhooks';
import { expect } from 'vitest';
import { silent } from './counter.ts';

const schema = `
  CREATE TABLE accounts (id text PRIMARY KEY, credits int NOT NULL);
  CREATE TABLE entries (id serial PRIMARY KEY, account text NOT NULL REFERENCES accounts, request_id text UNIQUE);
  CREATE TABLE jobs (id text PRIMARY KEY, account text, done boolean NOT NULL DEFAULT false);
  INSERT INTO accounts VALUES ('a', 100), ('b', 100)`;

/** Charges one credit for a result. */
type Work = (db: SqlDatabase, requestId: string, context: WebhookContext) => Promise<unknown>;
/** What a transaction does for a result. */
export type Charge = (db: Pick<SqlConnection, 'query'>, requestId: string) => Promise<unknown>;

const shop =
  (work: Work, dedupe?: (db: SqlDatabase) => WebhookHandlerOptions['dedupe']) =>
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
          generation_completed: ({ payload }, context) => work(db, `${payload.requestId}`, context),
        },
      }),
    };
  };
type Shop = Awaited<ReturnType<ReturnType<typeof shop>>>;

/** A shop that must charge one credit for each result, without faults unless they are given. */
export const charging = (
  work: Work,
  {
    dedupe,
    ...given
  }: Partial<SimulateOptions<Shop>> & { readonly dedupe?: Parameters<typeof shop>[1] } = {},
): SimulateOptions<Shop> => ({
  shrinkMs: 0,
  chaos: {},
  replicas: 2,
  app: shop(work, dedupe),
  receive: ({ webhooks }) => webhooks,
  run: ({ app }) => Promise.allSettled(['a', 'b', 'c', 'd'].map(app.order)),
  check: async ({ client, disk }) => {
    const credits = await read(await sqlDisk(disk, { schema }));
    const completed = await client.content.list({ status: 'completed' }).toArray();
    expect(100 - credits).toBe(completed.length);
  },
  ...given,
});

/** Charges in a transaction on a connection, repeated when it fails. */
export const onConnection =
  (charge: Charge, attempts = 1): Work =>
  async (db, requestId) => {
    for (let left = attempts - 1; ; left -= 1) {
      const connection = await db.connect();
      try {
        await connection.query('BEGIN');
        await charge(connection, requestId);
        return await connection.query('COMMIT');
      } catch (error) {
        await connection.query('ROLLBACK');
        if (left <= 0) throw error;
      } finally {
        connection.release();
      }
    }
  };

/** Returns whether the result is a new one. */
export async function mark(db: Pick<SqlConnection, 'query'>, requestId: string): Promise<boolean> {
  const insert =
    "INSERT INTO entries (account, request_id) VALUES ('a', $1) ON CONFLICT DO NOTHING";
  return (await db.query(insert, [requestId])).rowCount > 0;
}
export async function read(db: Pick<SqlConnection, 'query'>, clause = ''): Promise<number> {
  const { rows } = await db.query<{ credits: number }>(
    `SELECT credits FROM accounts WHERE id = 'a' ${clause}`,
  );
  return rows[0]?.credits ?? 0;
}
export const write = (db: Pick<SqlConnection, 'query'>, credits: number) =>
  db.query("UPDATE accounts SET credits = $1 WHERE id = 'a'", [credits]);
/** Charges without reading. */
export const charge: Charge = async (db, requestId) => {
  if (!(await mark(db, requestId))) return;
  await db.query("UPDATE accounts SET credits = credits - 1 WHERE id = 'a'");
};

/** Runs once, without faults, and returns what `use` of two connections returned. */
export async function between<T>(
  use: (one: SqlConnection, other: SqlConnection, db: SqlDatabase) => Promise<T>,
): Promise<T | undefined> {
  let result: T | undefined;
  await simulate({
    seeds: 1,
    chaos: {},
    shrinkMs: 0,
    app: async ({ disk }: InstanceContext) => sqlDisk(disk, { schema }),
    receive: () => () => new Response(),
    run: async ({ app }) => {
      result = await use(await app.connect(), await app.connect(), app);
    },
  });
  return result;
}
