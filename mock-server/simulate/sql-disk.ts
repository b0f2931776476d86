import type { Disk } from './disk.ts';
import type { SqlResult } from './sql-engine.ts';
import { type SqlAccess, sqlAccessOf, WAITS } from './sql-session.ts';

/** Runs statements. */
export interface SqlQueries {
  /** Runs a statement, with `$1`, `$2`, … for the parameters. Without parameters, runs several statements separated by `;`. */
  readonly query: <Row = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ) => Promise<SqlResult<Row>>;
}

/** A separate connection, for `BEGIN` … `COMMIT`. */
export interface SqlConnection extends SqlQueries {
  /** Returns the connection. If a transaction is open, rolls it back and throws. */
  readonly release: () => void;
}

/** A PostgreSQL database that survives crashes. Every instance sees the same one. */
export interface SqlDatabase extends SqlQueries {
  /** Takes a connection, as `pool.connect` of `pg` does. */
  readonly connect: () => Promise<SqlConnection>;
  /** Commits what `work` does through `tx`; rolls it back when `work` throws or the instance crashes. */
  readonly transaction: <T>(work: (tx: SqlQueries) => T | Promise<T>) => Promise<T>;
}

/** Options of `sqlDisk`. */
export interface SqlDiskOptions {
  /** Statements that create the tables. They run once in each run, before anything can fail. */
  readonly schema?: string;
}

/**
 * Opens the PostgreSQL database of a run, which is PGlite in memory: what was committed survives a crash, and an open
 * transaction is rolled back. Each statement is one step, in which the instance can crash. Its clock is that of the
 * service, and `random()` and `gen_random_uuid()` come from the seed. Transactions interleave statement by statement, as
 * at READ COMMITTED, and wait for rows that others hold. Needs the package `@electric-sql/pglite`.
 *
 * @throws TypeError if the package is missing, or `disk` is not that of a simulation
 * @example
 * ```ts
 * import { simulate, sqlDisk } from 'contentgen/simulate';
 *
 * await simulate({
 *   seeds: 5,
 *   app: async ({ client, disk, url }) => {
 *     const db = await sqlDisk(disk, { schema: 'CREATE TABLE orders (id text PRIMARY KEY)' });
 *     return async () => {
 *       const { requestId } = await client.content.start({ prompt: 'story', webhookUrl: url });
 *       await db.query('INSERT INTO orders VALUES ($1)', [requestId]);
 *     };
 *   },
 *   receive: () => () => new Response(),
 *   run: ({ app }) => app(),
 * });
 * ```
 */
export async function sqlDisk(
  disk: Disk,
  { schema = '' }: SqlDiskOptions = {},
): Promise<SqlDatabase> {
  const access = sqlAccessOf(disk);
  const { session, gate } = access;
  await gate.call('sql.open', () => ({ pending: session.open(schema) }));
  const pool = queriesOf(access, {});
  const connect = async () => {
    await gate.call('sql.connect', () => {
      session.assertFree();
      return { result: undefined };
    });
    const connection = {};
    const { query } = queriesOf(access, connection);
    return { query, release: () => release(access, connection) };
  };
  return {
    async query(text, params) {
      if (beginsTransaction(text)) throw new Error(NEEDS_CONNECTION);
      return pool.query(text, params);
    },
    connect,
    async transaction(work) {
      const { query, release: giveBack } = await connect();
      try {
        await query('BEGIN');
        const result = await work({ query });
        await query('COMMIT');
        return result;
      } catch (error) {
        await query('ROLLBACK');
        throw error;
      } finally {
        giveBack();
      }
    },
  };
}

const NEEDS_CONNECTION =
  'A transaction needs its own connection. Use transaction(), or BEGIN on the result of connect().';

const beginsTransaction = (text: string): boolean =>
  /^(begin|start\s+transaction)\s*;?$/i.test(text.trim());

function queriesOf({ session, gate }: SqlAccess, connection: object): SqlQueries {
  let isWatched = false;
  return {
    async query<Row>(text: string, params: readonly unknown[] = []) {
      if (!isWatched) gate.onCrash(() => session.abandon(connection));
      isWatched = true;
      for (;;) {
        const result = await gate.call(
          nameOf(text),
          () =>
            session.canRun(connection, text)
              ? { pending: session.run(connection, text, params) }
              : undefined,
          JSON.stringify(params),
        );
        if (result !== WAITS) return result as SqlResult<Row>;
      }
    },
  };
}

function release({ session }: SqlAccess, connection: object): void {
  if (!session.holds(connection)) return;
  session.abandon(connection);
  throw new Error('The connection was released in the middle of a transaction.');
}

const LONGEST_NAME = 100;

/** `sql.insert INTO orders VALUES ($1)`, so that faults are counted by the kind of statement. */
function nameOf(text: string): string {
  const [verb = '', ...rest] = text.trim().split(/\s+/);
  return `sql.${verb.toLowerCase()} ${rest.join(' ')}`.slice(0, LONGEST_NAME).trimEnd();
}
