import type { PageQuery, Store, StoreSnapshot, Table } from '../domain/ports.ts';
import { indexes, type TableName, type Tables } from '../domain/records.ts';

interface Change {
  readonly table: MemoryTable;
  readonly id: string;
  readonly previous: Row | undefined;
}

/** Keeps everything in this process's memory. */
export function memoryStore(): Store {
  const names = Object.keys(indexes) as TableName[];
  const tables = {} as Record<TableName, MemoryTable>;
  let changes: Change[] | undefined;

  for (const name of names) {
    const table = createMemoryTable(name, (id, previous) => {
      changes?.push({ table, id, previous });
    });
    tables[name] = table;
  }

  return {
    table<T extends TableName>(name: T) {
      return tables[name] as unknown as Table<Tables[T]>;
    },
    transaction(work) {
      if (changes) return work();
      changes = [];
      try {
        return work();
      } catch (error) {
        const undone = changes.reverse();
        changes = undefined;
        for (const { table, id, previous } of undone) {
          if (previous) table.put(previous);
          else table.delete(id);
        }
        throw error;
      } finally {
        changes = undefined;
      }
    },
    snapshot() {
      const all = Object.fromEntries(names.map((name) => [name, tables[name].rows()]));
      return JSON.parse(JSON.stringify(all)) as StoreSnapshot;
    },
    restore(snapshot) {
      const all = JSON.parse(JSON.stringify(snapshot)) as Record<string, Row[] | undefined>;
      for (const name of names) {
        tables[name].clear();
        for (const row of all[name] ?? []) tables[name].put(row);
      }
    },
  };
}

const CHUNK = 512;

/**
 * Unique ids in ascending order, in chunks: adding, deleting and seeking take O(log n + chunk), in any order. Ids are
 * mostly added at the end and deleted from the start, so both ends skip the search.
 */
class SortedIds {
  readonly #chunks: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  first(): string | undefined {
    return this.#chunks[0]?.[0];
  }

  add(id: string): void {
    const last = this.#chunks.at(-1);
    if (!last || (last.at(-1) as string) < id) {
      if (last && last.length < CHUNK) last.push(id);
      else this.#chunks.push([id]);
      this.#size += 1;
      return;
    }
    const index = this.#chunkFor(id);
    const chunk = this.#chunks[index] as string[];
    const at = lowerBound(chunk, id);
    if (chunk[at] === id) return;
    chunk.splice(at, 0, id);
    this.#size += 1;
    if (chunk.length > CHUNK) this.#chunks.splice(index + 1, 0, chunk.splice(CHUNK >> 1));
  }

  delete(id: string): boolean {
    const isFirst = this.first() === id;
    const index = isFirst ? 0 : this.#chunkFor(id);
    const chunk = this.#chunks[index];
    if (!chunk) return false;
    const at = isFirst ? 0 : lowerBound(chunk, id);
    if (chunk[at] !== id) return false;
    if (at === 0) chunk.shift();
    else chunk.splice(at, 1);
    if (chunk.length === 0) this.#chunks.splice(index, 1);
    this.#size -= 1;
    return true;
  }

  ascending(limit = Number.POSITIVE_INFINITY): string[] {
    const found: string[] = [];
    for (const chunk of this.#chunks) {
      for (const id of chunk) {
        if (found.length >= limit) return found;
        found.push(id);
      }
    }
    return found;
  }

  /** The last `limit` ids in descending order; with `before`, only of those less than it. */
  descending(before: string | undefined, limit = Number.POSITIVE_INFINITY): string[] {
    const found: string[] = [];
    let index = before === undefined ? this.#chunks.length - 1 : this.#chunkFor(before);
    if (index === this.#chunks.length) index -= 1;
    const start = this.#chunks[index];
    if (!start) return found;
    let at = (before === undefined ? start.length : lowerBound(start, before)) - 1;
    while (index >= 0 && found.length < limit) {
      const chunk = this.#chunks[index] as string[];
      for (; at >= 0 && found.length < limit; at -= 1) found.push(chunk[at] as string);
      index -= 1;
      at = (this.#chunks[index]?.length ?? 0) - 1;
    }
    return found;
  }

  /** Index of the chunk where `id` belongs: the first whose last id is not less. */
  #chunkFor(id: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((this.#chunks[middle] as string[]).at(-1) as string) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as string) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type Row = { readonly id: string };

export interface MemoryTable extends Table<Row> {
  rows(): Row[];
  clear(): void;
}

interface Index {
  readonly keyOf: (row: Row) => string | undefined;
  /** The id itself where a key has one, as most do: a list of one takes many times as much memory. */
  readonly idsByKey: Map<string, string | SortedIds>;
}

/** `onChange` is called before each change, with the row that is about to be replaced or deleted. */
function createMemoryTable(
  name: TableName,
  onChange: (id: string, previous: Row | undefined) => void,
): MemoryTable {
  const byId = new Map<string, Row>();
  const keysOf = Object.entries(indexes[name]).map(([index, keyOf]) => ({
    name: index,
    keyOf: keyOf as Index['keyOf'],
    idsByKey: new Map<string, string | SortedIds>(),
  }));
  let ids = new SortedIds();

  function idsUnder(index: string, key: string): string | SortedIds | undefined {
    for (const one of keysOf) if (one.name === index) return one.idsByKey.get(key);
    throw new TypeError(`Table ${name} has no index ${index}.`);
  }

  function selected({ index, key = '' }: PageQuery): SortedIds | undefined {
    const found = index === undefined ? ids : idsUnder(index, key);
    return typeof found === 'string' ? sortedIdsOf(found) : found;
  }

  const rowsOf = (found: string[] = []): Row[] => found.map((id) => byId.get(id) as Row);

  return {
    get: (id) => byId.get(id),
    put(row) {
      const { id } = row;
      const previous = byId.get(id);
      onChange(id, previous);
      byId.set(id, row);
      if (!previous) ids.add(id);
      for (const index of keysOf) {
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
      for (const index of keysOf) removeFrom(index, index.keyOf(previous), id);
      return true;
    },
    find(index, key) {
      const found = idsUnder(index, key);
      const id = typeof found === 'string' ? found : found?.first();
      return id === undefined ? undefined : byId.get(id);
    },
    newest: (query) => rowsOf(selected(query)?.descending(query.before, query.limit)),
    oldest: (query = {}) => rowsOf(selected(query)?.ascending(query.limit)),
    count(query) {
      const found = query ? idsUnder(query.index, query.key) : ids;
      return typeof found === 'string' ? 1 : (found?.size ?? 0);
    },
    rows: () => rowsOf(ids.ascending()),
    clear() {
      byId.clear();
      ids = new SortedIds();
      for (const { idsByKey } of keysOf) idsByKey.clear();
    },
  };
}

function addTo({ idsByKey }: Index, key: string | undefined, id: string): void {
  if (key === undefined) return;
  const ids = idsByKey.get(key);
  if (ids === undefined) idsByKey.set(key, id);
  else if (typeof ids === 'string') idsByKey.set(key, sortedIdsOf(ids, id));
  else ids.add(id);
}

function sortedIdsOf(...all: readonly string[]): SortedIds {
  const ids = new SortedIds();
  for (const id of all) ids.add(id);
  return ids;
}

function removeFrom({ idsByKey }: Index, key: string | undefined, id: string): void {
  if (key === undefined) return;
  const ids = idsByKey.get(key);
  if (ids === id) idsByKey.delete(key);
  else if (typeof ids === 'object' && ids.delete(id) && ids.size === 0) idsByKey.delete(key);
}
