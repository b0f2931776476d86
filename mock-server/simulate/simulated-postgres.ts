import { statements } from '../../src/webhooks/dedupe/postgres-statements.ts';
import { defaultTable, quoteTable } from '../../src/webhooks/dedupe/postgres-table.ts';
import type { DiskOperations, DiskValues } from './disk.ts';

/** Options of `simulatedPostgres`. */
export interface StandInOptions {
  /** The database's clock: pass `mock.clock.now`, not the clock of an instance, which can be wrong. */
  readonly now: () => number;
  /** The name of the table. */
  readonly table?: string;
}

interface Row {
  readonly attempt: string;
  readonly done: boolean;
  /** Milliseconds since 1970. */
  readonly until: number;
}

interface Rows {
  get(key: string): Row | undefined;
  put(key: string, row: Row): void;
  delete(key: string): void;
  keys(): string[];
  /** The time this many ms from now. */
  in(ms: unknown): number;
  now(): number;
  /** The name of the transaction; a new one for each statement outside of one. */
  readonly transaction: string;
}

type Statement = (rows: Rows, params: readonly (string | number)[]) => object[];

const STATEMENTS: Readonly<Record<keyof ReturnType<typeof statements>, Statement>> = {
  claim(rows, [given, attempt, leaseMs]) {
    const key = String(given);
    if (rows.get(key)) return [];
    rows.put(key, { attempt: String(attempt), done: false, until: rows.in(leaseMs) });
    return [{ key }];
  },
  held(rows, [key]) {
    const row = rows.get(String(key));
    return row ? [{ done: row.done, remaining: row.until - rows.now() }] : [];
  },
  takeOver(rows, [key, attempt, leaseMs]) {
    const row = rows.get(String(key));
    if (!row || row.until > rows.now()) return [];
    rows.put(String(key), { attempt: String(attempt), done: false, until: rows.in(leaseMs) });
    return [{ key }];
  },
  renew: (rows, [key, attempt, leaseMs]) =>
    change(rows, key, attempt, (row) => ({ ...row, until: rows.in(leaseMs) })),
  complete(rows, [given, attempt, ttlMs]) {
    const key = String(given);
    const row = rows.get(key) ?? { attempt: String(attempt) };
    rows.put(key, { ...row, done: true, until: rows.in(ttlMs) });
    return [{ key }];
  },
  release: (rows, [key, attempt]) => change(rows, key, attempt, () => undefined),
  transaction: (rows) => [{ transaction: rows.transaction }],
  commit(rows, [key, attempt, ttlMs, transaction]) {
    if (transaction !== rows.transaction) return [{ marked: false, inside: false }];
    const marked = change(rows, key, attempt, (row) => ({
      ...row,
      done: true,
      until: rows.in(ttlMs),
    }));
    return [{ marked: marked.length > 0, inside: true }];
  },
  forget(rows, [key]) {
    const row = rows.get(String(key));
    if (!row?.done || row.until <= rows.now()) return [];
    rows.delete(String(key));
    return [{}];
  },
  sweep(rows) {
    const expired = rows.keys().filter((key) => (rows.get(key)?.until ?? 0) < rows.now());
    for (const key of expired) rows.delete(key);
    return expired.map(() => ({}));
  },
};

function change(
  rows: Rows,
  key: unknown,
  attempt: unknown,
  to: (row: Row) => Row | undefined,
): object[] {
  const row = rows.get(String(key));
  if (!row || row.attempt !== attempt || row.done) return [];
  const changed = to(row);
  if (changed) rows.put(String(key), changed);
  else rows.delete(String(key));
  return [{ key }];
}

/**
 * A `query` for `postgresDedupe` over a store of the simulation's disk, or, for `context.commitWith`, over one of its
 * transactions. Every statement is one step, in which an instance can crash. It knows only the statements of
 * `postgresDedupe`.
 *
 * @example
 * const dedupe = postgresDedupe(simulatedPostgres(db, { now: mock.clock.now }));
 * // In a callback: effect and mark in one transaction.
 * await db.transaction(async (tx) => {
 *   await tx.set('effect', true);
 *   await context.commitWith(simulatedPostgres(tx, { now: mock.clock.now }));
 * });
 */
export function simulatedPostgres(
  store: DiskOperations,
  { now, table = defaultTable }: StandInOptions,
) {
  const known = new Map(
    Object.entries(statements(quoteTable(table))).map(([name, text]) => [text, name]),
  );
  let statementsRun = 0;
  const rowsIn = (values: DiskValues): Rows => ({
    get: (key) => values.get<Row>(`${table}/${key}`),
    put: (key, row) => values.set(`${table}/${key}`, row),
    delete: (key) => values.delete(`${table}/${key}`),
    keys: () => values.keys(`${table}/`).map((key) => key.slice(table.length + 1)),
    in: (ms) => now() + Number(ms),
    now,
    transaction: 'transaction' in store ? `${statementsRun}` : 'open',
  });
  return async (
    text: string,
    params: (string | number)[],
  ): Promise<{
    /** The rows of the result. */
    rows: object[];
  }> => {
    const name = known.get(text) as keyof typeof STATEMENTS | undefined;
    statementsRun += 1;
    if (name !== undefined) {
      const run = (values: DiskValues) => STATEMENTS[name](rowsIn(values), params);
      return { rows: await store.atomic(name, run) };
    }
    // The table is always there.
    if (/^DO \$\$ BEGIN\s+IF to_regclass/.test(text)) return { rows: [] };
    throw new Error('The stand-in for PostgreSQL knows only the statements of postgresDedupe.');
  };
}
