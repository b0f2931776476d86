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
    /** What PostgreSQL did: it replies `ROLLBACK` to a `COMMIT` in a failed transaction. */
    command?: string;
  }>;
}

/** Runs a function with a client, which is returned to its pool afterwards. */
export type WithPgClient = (use: (client: PgClient) => Promise<void>) => Promise<void>;

/** A transaction that begins with its first query, so that a job that needs none holds no connection. */
export interface LazyTransaction {
  /** Rejects once the transaction has ended: a query of a callback that was not awaited must not begin another one. */
  readonly query: SqlQuery;
  /** Rejects if PostgreSQL rolled back because a query in the transaction had failed. */
  commit(): Promise<void>;
  /** Does nothing without a query, or once the transaction has ended. */
  rollback(): Promise<void>;
}

/** Creates a transaction over a client of the pool, which is returned when the transaction ends. */
export function lazyTransaction(withPgClient: WithPgClient): LazyTransaction {
  let begun: Promise<PgClient> | undefined;
  let isEnded = false;
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
    if (isEnded) return;
    isEnded = true;
    if (!begun) return;
    try {
      const { command } = await (await begun).query(statement);
      if (command !== undefined && command !== statement)
        throw new Error(
          'Failed to commit: PostgreSQL rolled the transaction back, because one of its queries had failed. ' +
            'Let the error of a query end the callback, or use a savepoint.',
        );
    } finally {
      giveBack();
      await lent?.catch(() => {});
    }
  };
  return {
    async query(text, params) {
      if (isEnded)
        throw new Error(
          'Failed to run a query: the transaction has ended. Await every query before the callback ends.',
        );
      begun ??= begin();
      return (await begun).query(text, params);
    },
    commit: () => end('COMMIT'),
    rollback: () => end('ROLLBACK'),
  };
}
