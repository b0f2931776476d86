import type { Store, StoreSnapshot, Table } from '../domain/ports.ts';
import { indexes, type TableName, type Tables } from '../domain/tables.ts';
import { type SortedIds, sortedIds } from './sorted-ids.ts';

type Row = { readonly id: string };
type Undo = (id: string, previous: Row | undefined) => void;

interface MemoryTable extends Table<Row> {
  rows(): Row[];
  clear(): void;
}

type Bucket = SortedIds | string;

interface Change {
  readonly table: TableName;
  readonly id: string;
  readonly previous: Row | undefined;
}

/** One id is the commonest content of a bucket, so it is kept bare. */
function addTo(buckets: Map<string, Bucket>, key: string, id: string): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) buckets.set(key, id);
  else if (typeof bucket === 'string') {
    if (bucket === id) return;
    const ids = sortedIds();
    ids.add(bucket);
    ids.add(id);
    buckets.set(key, ids);
  } else bucket.add(id);
}

function removeFrom(buckets: Map<string, Bucket>, key: string, id: string): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) return;
  if (typeof bucket === 'string') {
    if (bucket === id) buckets.delete(key);
  } else if (bucket.delete(id) && bucket.size === 0) buckets.delete(key);
}

function memoryTable(
  name: TableName,
  keysOf: Readonly<Record<string, (row: never) => string | undefined>>,
  changed: Undo,
): MemoryTable {
  const byId = new Map<string, Row>();
  let ids = sortedIds();
  const declared = Object.entries(keysOf).map(([index, keyOf]) => ({
    index,
    keyOf: keyOf as (row: Row) => string | undefined,
    buckets: new Map<string, Bucket>(),
  }));

  function bucketOf(index: string, key: string): Bucket | undefined {
    const found = declared.find((entry) => entry.index === index);
    if (!found) throw new TypeError(`Table ${name} has no index ${index}.`);
    return found.buckets.get(key);
  }

  function select(
    query: { index?: string; key?: string },
    read: (ids: SortedIds) => string[],
    single: (id: string) => boolean,
  ): Row[] {
    const bucket = query.index === undefined ? ids : bucketOf(query.index, query.key ?? '');
    if (bucket === undefined) return [];
    const found = typeof bucket === 'string' ? (single(bucket) ? [bucket] : []) : read(bucket);
    return found.map((id) => byId.get(id) as Row);
  }

  return {
    get: (id) => byId.get(id),
    put(row) {
      const previous = byId.get(row.id);
      changed(row.id, previous);
      byId.set(row.id, row);
      if (!previous) ids.add(row.id);
      for (const { keyOf, buckets } of declared) {
        const before = previous && keyOf(previous);
        const after = keyOf(row);
        if (before === after) continue;
        if (before !== undefined) removeFrom(buckets, before, row.id);
        if (after !== undefined) addTo(buckets, after, row.id);
      }
    },
    delete(id) {
      const previous = byId.get(id);
      if (!previous) return false;
      changed(id, previous);
      byId.delete(id);
      ids.delete(id);
      for (const { keyOf, buckets } of declared) {
        const key = keyOf(previous);
        if (key !== undefined) removeFrom(buckets, key, id);
      }
      return true;
    },
    find(index, key) {
      const bucket = bucketOf(index, key);
      const id = typeof bucket === 'string' ? bucket : bucket?.first();
      return id === undefined ? undefined : byId.get(id);
    },
    newest: (query) =>
      select(
        query,
        (from) => from.descending(query.before, query.limit),
        (id) => query.limit > 0 && (query.before === undefined || id < query.before),
      ),
    oldest: (query) =>
      select(
        query,
        (from) => from.ascending(query.after, query.limit),
        (id) => query.limit > 0 && (query.after === undefined || id > query.after),
      ),
    count(query) {
      if (!query) return byId.size;
      const bucket = bucketOf(query.index, query.key);
      return typeof bucket === 'string' ? 1 : (bucket?.size ?? 0);
    },
    rows: () => ids.ascending(undefined, Number.POSITIVE_INFINITY).map((id) => byId.get(id) as Row),
    clear() {
      byId.clear();
      ids = sortedIds();
      for (const { buckets } of declared) buckets.clear();
    },
  };
}

/** Keeps everything in this process's memory. */
export function memoryStore(): Store {
  const names = Object.keys(indexes) as TableName[];
  const tables = new Map<TableName, MemoryTable>();
  let log: Change[] | undefined;

  for (const name of names) {
    tables.set(
      name,
      memoryTable(name, indexes[name], (id, previous) => {
        log?.push({ table: name, id, previous });
      }),
    );
  }

  const open = (name: TableName): MemoryTable => tables.get(name) as MemoryTable;

  return {
    table<T extends TableName>(name: T) {
      return open(name) as unknown as Table<Tables[T]>;
    },
    transaction(work) {
      if (log) return work();
      const changes: Change[] = [];
      log = changes;
      try {
        return work();
      } catch (error) {
        log = undefined;
        for (const { table, id, previous } of changes.reverse()) {
          if (previous) open(table).put(previous);
          else open(table).delete(id);
        }
        throw error;
      } finally {
        log = undefined;
      }
    },
    snapshot() {
      const all = Object.fromEntries(names.map((name) => [name, open(name).rows()]));
      return JSON.parse(JSON.stringify(all)) as StoreSnapshot;
    },
    restore(snapshot) {
      const all = JSON.parse(JSON.stringify(snapshot)) as Record<string, Row[] | undefined>;
      for (const name of names) {
        open(name).clear();
        for (const row of all[name] ?? []) open(name).put(row);
      }
    },
  };
}
