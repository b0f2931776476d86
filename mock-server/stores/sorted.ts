const CHUNK = 512;

/** Items in the order of their ids, in chunks: insert, delete and seek cost O(log n + chunk), however they arrive. */
export interface Sorted<T> {
  readonly size: number;
  /** In place of the one with the same id, if there is one. */
  add(item: T): void;
  delete(id: string): boolean;
  find(id: string): T | undefined;
  first(): T | undefined;
  /** Ascending, ids above `after` alone. */
  ascending(after: string | undefined, limit: number): T[];
  /** Descending, ids below `before` alone. */
  descending(before: string | undefined, limit: number): T[];
}

export function createSorted<T>(idOf: (item: T) => string): Sorted<T> {
  const chunks: T[][] = [];
  let size = 0;

  const idAt = (chunk: readonly T[], at: number): string => idOf(chunk[at] as T);

  /** Index of the chunk where `id` belongs: the first whose last item is not below it. */
  function chunkFor(id: string): number {
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle] as T[];
      if (idAt(chunk, chunk.length - 1) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Index of the first item that is not below `id`. */
  function lowerBound(chunk: readonly T[], id: string): number {
    let low = 0;
    let high = chunk.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (idAt(chunk, middle) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get size() {
      return size;
    },
    add(item) {
      const id = idOf(item);
      // Ids mostly come in order and go in order: both ends are spared the search.
      const last = chunks.at(-1);
      if (!last || idAt(last, last.length - 1) < id) {
        if (last && last.length < CHUNK) last.push(item);
        else chunks.push([item]);
        size += 1;
        return;
      }
      const index = chunkFor(id);
      const chunk = chunks[index] as T[];
      const at = lowerBound(chunk, id);
      if (idAt(chunk, at) === id) {
        chunk[at] = item;
        return;
      }
      size += 1;
      chunk.splice(at, 0, item);
      if (chunk.length > CHUNK) chunks.splice(index + 1, 0, chunk.splice(CHUNK >> 1));
    },
    delete(id) {
      const [oldest] = chunks;
      const index = oldest && idAt(oldest, 0) === id ? 0 : chunkFor(id);
      const chunk = chunks[index];
      if (!chunk) return false;
      const at = lowerBound(chunk, id);
      if (idAt(chunk, at) !== id) return false;
      if (at === 0) chunk.shift();
      else chunk.splice(at, 1);
      if (chunk.length === 0) chunks.splice(index, 1);
      size -= 1;
      return true;
    },
    find(id) {
      const chunk = chunks[chunkFor(id)];
      const item = chunk?.[lowerBound(chunk, id)];
      return item !== undefined && idOf(item) === id ? item : undefined;
    },
    first: () => chunks[0]?.[0],
    ascending(after, limit) {
      const found: T[] = [];
      let index = after === undefined ? 0 : chunkFor(after);
      const start = chunks[index];
      let at = after === undefined || !start ? 0 : lowerBound(start, after);
      if (after !== undefined && start && idAt(start, at) === after) at += 1;
      for (; index < chunks.length && found.length < limit; index += 1, at = 0) {
        const chunk = chunks[index] as T[];
        for (; at < chunk.length && found.length < limit; at += 1) found.push(chunk[at] as T);
      }
      return found;
    },
    descending(before, limit) {
      const found: T[] = [];
      let index = before === undefined ? chunks.length - 1 : chunkFor(before);
      if (index === chunks.length) index -= 1;
      const start = chunks[index];
      if (!start) return found;
      let at = before === undefined ? start.length - 1 : lowerBound(start, before) - 1;
      while (index >= 0 && found.length < limit) {
        const chunk = chunks[index] as T[];
        for (; at >= 0 && found.length < limit; at -= 1) found.push(chunk[at] as T);
        index -= 1;
        at = (chunks[index]?.length ?? 0) - 1;
      }
      return found;
    },
  };
}
