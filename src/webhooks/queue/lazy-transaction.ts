import type { SqlQuery } from '../dedupe/dedupe.ts';

/** The part of a `pg` client that a transaction needs. */
export interface PgClient {
  /** Runs one query. */
  query(
    text: string,
    params?: (string | number)[],
  ): Promise<{
    /** The rows of the result. */
    rows: readonly unknown[];
  }>;
}

/** Runs a function with a client, which is returned to its pool afterwards. */
export type WithPgClient = (use: (client: PgClient) => Promise<void>) => Promise<void>;

/** A transaction that begins with its first query, so that a job that needs none holds no connection. */
export interface LazyTransaction {
  readonly query: SqlQuery;
  commit(): Promise<void>;
  /** Does nothing without a query, or once the transaction has ended. */
  rollback(): Promise<void>;
}

/** Creates a transaction over a client of the pool, which is returned when the transaction ends. */
export function lazyTransaction(withPgClient: WithPgClient): LazyTransaction {
  let begun: Promise<PgClient> | undefined;
  let lent: Promise<void> | undefined;
  let giveBack = () => {};
  const ended = new Promise<void>((resolve) => {
    giveBack = resolve;
  });

  const begin = () =>
    new Promise<PgClient>((resolve, reject) => {
      lent = withPgClient(async (client) => {
        await client.query('BEGIN');
        resolve(client);
        await ended;
      });
      lent.catch(reject);
    });
  const end = async (statement: 'COMMIT' | 'ROLLBACK') => {
    if (!begun) return;
    const beginning = begun;
    begun = undefined;
    try {
      await (await beginning).query(statement);
    } finally {
      giveBack();
      await lent?.catch(() => {});
    }
  };
  return {
    async query(text, params) {
      begun ??= begin();
      return (await begun).query(text, params);
    },
    commit: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
  };
}
