const CHUNK = 512;

/** A sorted set of ids in chunks: insert, delete and seek cost O(log n + chunk), whatever the order of arrival. */
export interface SortedIds {
  readonly size: number;
  add(id: string): void;
  delete(id: string): boolean;
  first(): string | undefined;
  /** Ascending, ids above `after` alone. */
  ascending(after: string | undefined, limit: number): string[];
  /** Descending, ids below `before` alone. */
  descending(before: string | undefined, limit: number): string[];
}

/** Index of the first item that is not below `id`. */
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

export function sortedIds(): SortedIds {
  const chunks: string[][] = [];
  let size = 0;

  /** Index of the chunk where `id` belongs: the first whose last item is not below it. */
  function chunkFor(id: string): number {
    let low = 0;
    let high = chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = chunks[middle] as string[];
      if ((chunk[chunk.length - 1] as string) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get size() {
      return size;
    },
    add(id) {
      // Ids mostly come in order and go in order: both ends are spared the search.
      const last = chunks.at(-1);
      if (last && (last.at(-1) as string) < id) {
        if (last.length < CHUNK) last.push(id);
        else chunks.push([id]);
        size += 1;
        return;
      }
      const index = Math.min(chunkFor(id), chunks.length - 1);
      const chunk = chunks[index];
      if (!chunk) {
        chunks.push([id]);
        size = 1;
        return;
      }
      const at = lowerBound(chunk, id);
      if (chunk[at] === id) return;
      size += 1;
      if (at === chunk.length) {
        if (chunk.length < CHUNK) chunk.push(id);
        else chunks.splice(index + 1, 0, [id]);
        return;
      }
      chunk.splice(at, 0, id);
      if (chunk.length > CHUNK) chunks.splice(index + 1, 0, chunk.splice(CHUNK >> 1));
    },
    delete(id) {
      const index = chunks[0]?.[0] === id ? 0 : chunkFor(id);
      const chunk = chunks[index];
      if (!chunk) return false;
      const at = chunk[0] === id ? 0 : lowerBound(chunk, id);
      if (chunk[at] !== id) return false;
      if (at === 0) chunk.shift();
      else chunk.splice(at, 1);
      if (chunk.length === 0) chunks.splice(index, 1);
      size -= 1;
      return true;
    },
    first: () => chunks[0]?.[0],
    ascending(after, limit) {
      const found: string[] = [];
      let index = after === undefined ? 0 : chunkFor(after);
      const start = chunks[index];
      let at = after === undefined || !start ? 0 : lowerBound(start, after);
      if (start && start[at] === after) at += 1;
      for (; index < chunks.length && found.length < limit; index += 1, at = 0) {
        const chunk = chunks[index] as string[];
        for (; at < chunk.length && found.length < limit; at += 1) found.push(chunk[at] as string);
      }
      return found;
    },
    descending(before, limit) {
      const found: string[] = [];
      let index = before === undefined ? chunks.length - 1 : chunkFor(before);
      if (index === chunks.length) index -= 1;
      const start = chunks[index];
      if (!start) return found;
      let at = before === undefined ? start.length - 1 : lowerBound(start, before) - 1;
      while (index >= 0 && found.length < limit) {
        const chunk = chunks[index] as string[];
        for (; at >= 0 && found.length < limit; at -= 1) found.push(chunk[at] as string);
        index -= 1;
        at = (chunks[index]?.length ?? 0) - 1;
      }
      return found;
    },
  };
}
