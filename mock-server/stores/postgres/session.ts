import { poolerError } from './error.ts';

/** A connection of the pool, such as a `PoolClient` of the package `pg`. */
export interface PostgresClient {
  /** Runs a statement. */
  query(query: {
    /** The name under which it is prepared. */
    readonly name?: string;
    /** The SQL text. */
    readonly text: string;
    /** The values of `$1`, `$2` and so on. */
    readonly values?: unknown[];
  }): Promise<{
    /** The rows of the result. */
    readonly rows: unknown[];
  }>;
  /** Listens for the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Returns the connection to the pool; `true` closes it. */
  release(destroy?: boolean): void;
}

/** A `Pool` of the package `pg`, or one with the same methods. The store holds one of its connections. */
export interface PostgresPool {
  /** Takes a connection out of the pool. */
  connect(): Promise<PostgresClient>;
}

export interface Statement {
  /** Prepared under this name at its first use. */
  readonly name?: string;
  readonly text: string;
}

export type Query = <Row>(
  statement: Statement | string,
  values?: readonly unknown[],
) => Promise<Row[]>;

/** One connection. When it is lost, so is everything that PostgreSQL ties to it, such as a lock. */
export interface Session {
  /** Runs statements while no other caller does. */
  exclusive<T>(work: (query: Query) => Promise<T>): Promise<T>;
  readonly query: Query;
  /** Resolves with the reason once the connection is lost or closed. */
  readonly lost: Promise<Error>;
  close(): void;
}

/**
 * Takes a connection from the pool. It counts as lost when a statement gets no response within `deadlineMs`, because a
 * network that drops packets reports no error.
 */
export async function openSession(pool: PostgresPool, deadlineMs: number): Promise<Session> {
  const client = await connectWithin(pool, deadlineMs);
  let reason: Error | undefined;
  let resolveLost: (reason: Error) => void = () => {};
  const lost = new Promise<Error>((resolve) => {
    resolveLost = resolve;
  });
  let last: Promise<unknown> = Promise.resolve();

  function lose(error: Error): void {
    if (reason) return;
    reason = error;
    client.release(true);
    resolveLost(error);
  }

  async function run<Row>(statement: Statement | string, values: readonly unknown[] = []) {
    if (reason) throw reason;
    const query = typeof statement === 'string' ? { text: statement } : statement;
    const deadline = startDeadline(deadlineMs, lose);
    try {
      const response = client.query({ ...query, values: [...values] });
      const { rows } = await Promise.race([response, deadline.passed]);
      return rows as Row[];
    } catch (error) {
      if (!isStatementError(error)) lose(error as Error);
      throw isForeignSession(error) ? poolerError({ cause: error }) : error;
    } finally {
      deadline.clear();
    }
  }

  function exclusive<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const turn = last.then(() => work(run));
    last = turn.catch(() => {});
    return turn;
  }

  client.on('error', lose);
  return {
    exclusive,
    query: (statement, values) => exclusive((query) => query(statement, values)),
    lost,
    close: () => lose(new Error('The connection to PostgreSQL was closed.')),
  };
}

/** An error that concerns one statement (SQLSTATE). After any other, the connection cannot be used. */
function isStatementError(error: unknown): boolean {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return false;
  return !/^(57P|08)/.test(String(error.code));
}

/** A name that is already prepared, or not yet: another connection has used this session, or this one another session. */
const isForeignSession = (error: unknown): boolean =>
  /^(42P05|26000)$/.test(String((error as { code?: unknown }).code));

const tooLate = (ms: number) => new Error(`PostgreSQL did not respond within ${ms} ms.`);

function startDeadline(ms: number, onPassed: (error: Error) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = tooLate(ms);
      onPassed(error);
      reject(error);
    }, ms);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/** A connection that arrives after the deadline is closed. */
function connectWithin(pool: PostgresPool, ms: number): Promise<PostgresClient> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(tooLate(ms));
    }, ms);
    pool.connect().then(
      (client) => {
        clearTimeout(timer);
        if (late) client.release(true);
        else resolve(client);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
