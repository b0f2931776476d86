import type { PageQuery, Table } from '../domain/ports.ts';
import { SortedIds } from './sorted-ids.ts';

export type Row = { readonly id: string };

/** A table in memory, as its store sees it. */
export interface MemoryTable extends Table<Row> {
  /** All rows, in the order of their ids. */
  rows(): Row[];
  clear(): void;
}

interface Index {
  readonly keyOf: (row: Row) => string | undefined;
  readonly idsByKey: Map<string, SortedIds>;
}

const everything = Number.POSITIVE_INFINITY;

/** `onChange` is called before each change, with the row that is about to be replaced or deleted. */
export function createMemoryTable(
  name: string,
  keysOf: Readonly<Record<string, (row: never) => string | undefined>>,
  onChange: (id: string, previous: Row | undefined) => void,
): MemoryTable {
  const byId = new Map<string, Row>();
  const indexes = Object.entries(keysOf).map(([index, keyOf]) => ({
    name: index,
    keyOf: keyOf as Index['keyOf'],
    idsByKey: new Map<string, SortedIds>(),
  }));
  let ids = new SortedIds();

  function idsUnder(index: string, key: string): SortedIds | undefined {
    const found = indexes.find((one) => one.name === index);
    if (!found) throw new TypeError(`Table ${name} has no index ${index}.`);
    return found.idsByKey.get(key);
  }

  const selected = ({ index, key = '' }: PageQuery): SortedIds | undefined =>
    index === undefined ? ids : idsUnder(index, key);

  const rowsOf = (found: string[] = []): Row[] => found.map((id) => byId.get(id) as Row);

  return {
    get: (id) => byId.get(id),
    put(row) {
      const { id } = row;
      const previous = byId.get(id);
      onChange(id, previous);
      byId.set(id, row);
      if (!previous) ids.add(id);
      for (const index of indexes) {
        const before = previous && index.keyOf(previous);
        const after = index.keyOf(row);
        if (before === after) continue;
        removeFrom(index, before, id);
        addTo(index, after, id);
      }
    },
    delete(id) {
      const previous = byId.get(id);
      if (!previous) return false;
      onChange(id, previous);
      byId.delete(id);
      ids.delete(id);
      for (const index of indexes) removeFrom(index, index.keyOf(previous), id);
      return true;
    },
    find(index, key) {
      const id = idsUnder(index, key)?.first();
      return id === undefined ? undefined : byId.get(id);
    },
    newest: (query) => rowsOf(selected(query)?.descending(query.before, query.limit)),
    oldest: (query) => rowsOf(selected(query)?.ascending(query.after, query.limit)),
    count: (query) => (query ? (idsUnder(query.index, query.key)?.size ?? 0) : byId.size),
    rows: () => rowsOf(ids.ascending(undefined, everything)),
    clear() {
      byId.clear();
      ids = new SortedIds();
      for (const { idsByKey } of indexes) idsByKey.clear();
    },
  };
}

function addTo({ idsByKey }: Index, key: string | undefined, id: string): void {
  if (key === undefined) return;
  let ids = idsByKey.get(key);
  if (!ids) {
    ids = new SortedIds();
    idsByKey.set(key, ids);
  }
  ids.add(id);
}

function removeFrom({ idsByKey }: Index, key: string | undefined, id: string): void {
  if (key === undefined) return;
  const ids = idsByKey.get(key);
  if (ids?.delete(id) && ids.size === 0) idsByKey.delete(key);
}
