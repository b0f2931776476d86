import { isRequestStream } from '../domain/ids.ts';
import type { Store, StoreSnapshot, Table } from '../domain/ports.ts';
import { indexes, type TableName, type Tables } from '../domain/records.ts';
import type { Row } from './memory.ts';

export const tableNames = Object.keys(indexes) as TableName[];

/** A table with rows of any kind, for code that only copies them. */
export const rowsOf = (store: Store, name: TableName) => store.table(name) as unknown as Table<Row>;

/**
 * The logs: their lines are only added at the end and dropped from the start, and no response acknowledges them, so
 * they can be written a little later than other rows.
 */
const LOGS: ReadonlySet<string> = new Set<TableName>(['events', 'requests']);

export const isLog = (table: TableName): boolean => LOGS.has(table);

/** Whether a row is a counter that only numbers log lines, or the requests in the request log. */
export function isLogCounter(table: TableName, id: string): boolean {
  if (table !== 'counters') return false;
  const [name = '', about] = id.split(':');
  return LOGS.has(name) || isRequestStream(name, Number(about));
}

/** How long log lines wait for more lines before they are committed. */
export const LOG_DELAY_MS = 100;

/** Gets a report of each change to a watched store. */
export interface Watcher {
  /** Called before each change; throwing prevents it. */
  beforeChange(): void;
  /** Returns a function that is called with the id of each row of the table before it changes. */
  watch(name: TableName): (id: string) => void;
  /** Called after all rows were replaced. */
  replaced(): void;
}

/** The same store, but each change is reported to the watcher. */
export function watchedStore(
  memory: Store,
  watcher: Watcher,
): Pick<Store, 'table' | 'transaction' | 'snapshot' | 'restore'> {
  const tables = new Map(
    tableNames.map((name) => [
      name,
      watchedTable(rowsOf(memory, name), watcher.beforeChange, watcher.watch(name)),
    ]),
  );
  return {
    table: <T extends TableName>(name: T) => tables.get(name) as unknown as Table<Tables[T]>,
    transaction: (work) => memory.transaction(work),
    snapshot: () => memory.snapshot(),
    restore(snapshot: StoreSnapshot) {
      watcher.beforeChange();
      memory.restore(snapshot);
      watcher.replaced();
    },
  };
}

/** The same table, but it records the ids of the rows that change. */
function watchedTable(
  table: Table<Row>,
  beforeChange: () => void,
  changed: (id: string) => void,
): Table<Row> {
  return {
    ...table,
    put(row) {
      beforeChange();
      changed(row.id);
      table.put(row);
    },
    delete(id) {
      if (!table.get(id)) return false;
      beforeChange();
      changed(id);
      return table.delete(id);
    },
  };
}
