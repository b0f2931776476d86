import type { PageQuery } from '../domain/ports.ts';
import { createIndexes } from './indexes.ts';
import { createSorted, type Sorted } from './sorted.ts';
import type { Changed, Indexes, MemoryTable, Row } from './table.ts';

type SortedIds = Sorted<string>;
type Bucket = SortedIds | string;

const sortedIds = (): SortedIds => createSorted<string>((id) => id);
const noIds = sortedIds();

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

/** A table whose rows change and are read by id. */
export function keyedTable(name: string, keysOf: Indexes, changed: Changed): MemoryTable {
  const byId = new Map<string, Row>();
  let ids = sortedIds();
  const indexes = createIndexes<Bucket>(name, keysOf);
  const { bucketOf } = indexes;

  const selected = ({ index, key }: PageQuery): Bucket =>
    (index === undefined ? ids : bucketOf(index, key ?? '')) ?? noIds;

  const rowsOf = (found: string[]): Row[] => found.map((id) => byId.get(id) as Row);

  return {
    get: (id) => byId.get(id),
    put(row) {
      const { id } = row;
      const previous = byId.get(id);
      changed(id, previous);
      byId.set(id, row);
      if (!previous) ids.add(id);
      for (const { keyOf, buckets } of indexes.all) {
        const before = previous && keyOf(previous);
        const after = keyOf(row);
        if (before === after) continue;
        if (before !== undefined) removeFrom(buckets, before, id);
        if (after !== undefined) addTo(buckets, after, id);
      }
    },
    delete(id) {
      const previous = byId.get(id);
      if (!previous) return false;
      changed(id, previous);
      byId.delete(id);
      ids.delete(id);
      for (const { keyOf, buckets } of indexes.all) {
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
    newest(query) {
      const { before, limit } = query;
      const bucket = selected(query);
      if (typeof bucket !== 'string') return rowsOf(bucket.descending(before, limit));
      return limit > 0 && (before === undefined || bucket < before) ? rowsOf([bucket]) : [];
    },
    oldest(query) {
      const { after, limit } = query;
      const bucket = selected(query);
      if (typeof bucket !== 'string') return rowsOf(bucket.ascending(after, limit));
      return limit > 0 && (after === undefined || bucket > after) ? rowsOf([bucket]) : [];
    },
    count(query) {
      if (!query) return byId.size;
      const bucket = bucketOf(query.index, query.key);
      return typeof bucket === 'string' ? 1 : (bucket?.size ?? 0);
    },
    rows: () => rowsOf(ids.ascending(undefined, Number.POSITIVE_INFINITY)),
    clear() {
      byId.clear();
      ids = sortedIds();
      indexes.clear();
    },
  };
}
