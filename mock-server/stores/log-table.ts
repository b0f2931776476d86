import type { PageQuery } from '../domain/ports.ts';
import { createIndexes } from './indexes.ts';
import { createSorted, type Sorted } from './sorted.ts';
import type { Changed, Indexes, MemoryTable, Row } from './table.ts';

const idOf = (row: Row): string => row.id;

/**
 * A table whose rows are appended, read in pages and dropped at the other end, and never change: without a map by id,
 * which would cost a line of a log more than all else about it.
 */
export function logTable(name: string, keysOf: Indexes, changed: Changed): MemoryTable {
  let all = createSorted(idOf);
  const indexes = createIndexes<Sorted<Row>>(name, keysOf);
  const { bucketOf } = indexes;

  const selected = ({ index, key }: PageQuery): Sorted<Row> | undefined =>
    index === undefined ? all : bucketOf(index, key ?? '');

  function remove(row: Row): void {
    all.delete(row.id);
    for (const { keyOf, buckets } of indexes.all) {
      const key = keyOf(row);
      const bucket = key === undefined ? undefined : buckets.get(key);
      if (bucket?.delete(row.id) && bucket.size === 0) buckets.delete(key as string);
    }
  }

  return {
    get: (id) => all.find(id),
    put(row) {
      const previous = all.find(row.id);
      changed(row.id, previous);
      if (previous) remove(previous);
      all.add(row);
      for (const { keyOf, buckets } of indexes.all) {
        const key = keyOf(row);
        if (key === undefined) continue;
        let bucket = buckets.get(key);
        if (!bucket) {
          bucket = createSorted(idOf);
          buckets.set(key, bucket);
        }
        bucket.add(row);
      }
    },
    delete(id) {
      const previous = all.find(id);
      if (!previous) return false;
      changed(id, previous);
      remove(previous);
      return true;
    },
    find: (index, key) => bucketOf(index, key)?.first(),
    newest: (query) => selected(query)?.descending(query.before, query.limit) ?? [],
    oldest: (query) => selected(query)?.ascending(query.after, query.limit) ?? [],
    count: (query) => (query ? (bucketOf(query.index, query.key)?.size ?? 0) : all.size),
    rows: () => all.ascending(undefined, Number.POSITIVE_INFINITY),
    clear() {
      all = createSorted(idOf);
      indexes.clear();
    },
  };
}
