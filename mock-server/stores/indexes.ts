import type { Indexes, KeyOf } from './table.ts';

/** The indexes of a table: under each key a bucket, of whatever kind the table keeps. */
export interface TableIndexes<Bucket> {
  readonly all: readonly { readonly keyOf: KeyOf; readonly buckets: Map<string, Bucket> }[];
  /** @throws TypeError when the table has no such index */
  bucketOf(index: string, key: string): Bucket | undefined;
  clear(): void;
}

export function createIndexes<Bucket>(table: string, keysOf: Indexes): TableIndexes<Bucket> {
  const all = Object.entries(keysOf).map(([index, keyOf]) => ({
    index,
    keyOf: keyOf as KeyOf,
    buckets: new Map<string, Bucket>(),
  }));
  return {
    all,
    bucketOf(index, key) {
      for (const entry of all) if (entry.index === index) return entry.buckets.get(key);
      throw new TypeError(`Table ${table} has no index ${index}.`);
    },
    clear() {
      for (const { buckets } of all) buckets.clear();
    },
  };
}
