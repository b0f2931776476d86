import type { Log, Logs } from './log.ts';
import type { Store, Table } from './ports.ts';
import { weights } from './records.ts';

/** Dropped entries are cut off a queue in batches of at least this many. */
const CUT_FROM = 1024;

const EVERY_ROW = { limit: Number.POSITIVE_INFINITY };

/** How much is kept. */
export interface HistoryLimits {
  /** How many lines each log has, and how many deliveries that have ended are kept. */
  readonly logLimit: number;
  readonly retention: {
    /** The maximum number of finished generations. */
    readonly count: number;
    /** What all of it can take in memory together. */
    readonly bytes: number;
  };
}

/** One kind of what is kept. */
interface Shelf {
  readonly limit: number;
  count(): number;
  /** Roughly what it takes in memory. */
  bytes(): number;
  /** When the oldest ended. */
  oldestAt(): number | undefined;
  dropOldest(): void;
}

export type History = ReturnType<typeof createHistory>;

/** What is kept of the past: the logs, and the deliveries and generations that have ended. */
export function createHistory(store: Store, logs: Logs, limits: HistoryLimits) {
  const { logLimit, retention } = limits;
  const deliveries = rowShelf(store.table('deliveries'), logLimit, {
    endOf: ({ status, attempts, createdAt }) =>
      status === 'pending' ? undefined : (attempts.at(-1)?.at ?? createdAt),
    weightOf: weights.deliveries,
    drop: (id) => store.table('deliveries').delete(id),
  });
  const generations = rowShelf(store.table('generations'), retention.count, {
    endOf: ({ completedAt }) => completedAt,
    weightOf: weights.generations,
    drop: (id) => dropGeneration(store, id),
  });
  const requests = logShelf(logs.requests, logLimit, ({ at, durationMs }) => at + durationMs);
  const shelves = [
    requests,
    logShelf(logs.events, logLimit, ({ at }) => at),
    deliveries,
    generations,
  ];

  /** Drops what is beyond the limits, the oldest first. Call it after something was logged. */
  function trim(): void {
    let bytes = 0;
    for (const shelf of shelves) {
      while (shelf.count() > shelf.limit) shelf.dropOldest();
      bytes += shelf.bytes();
    }
    while (bytes > retention.bytes) {
      const ends = shelves.map((shelf) => shelf.oldestAt() ?? Number.POSITIVE_INFINITY);
      const oldest = shelves[ends.indexOf(Math.min(...ends))];
      if (!oldest || oldest.count() === 0) return;
      bytes -= oldest.bytes();
      oldest.dropOldest();
      bytes += oldest.bytes();
    }
  }

  /** Starts over with what has ended in the store. */
  function reload(): void {
    deliveries.reload();
    generations.reload();
  }

  reload();
  return {
    trim,
    reload,
    /** Call it with a row that has ended and is stored so. */
    deliveryEnded: deliveries.add,
    generationEnded: generations.add,
  };
}

function logShelf<Row extends { readonly id: string; readonly at: number }>(
  log: Log<Row>,
  limit: number,
  endOf: (row: Row) => number,
): Shelf {
  return {
    limit,
    count: () => log.count(),
    bytes: () => log.bytes,
    oldestAt: () => log.first && endOf(log.first),
    dropOldest: () => log.dropOldest(),
  };
}

interface RowRules<Row> {
  /** When it ended; undefined before. */
  endOf(row: Row): number | undefined;
  weightOf(row: Row): number;
  drop(id: string): void;
}

interface RowShelf<Row> extends Shelf {
  readonly add: (row: Row) => void;
  reload(): void;
}

/** The rows of a table in the order in which they ended. What went on after its end has another entry then. */
function rowShelf<Row extends { readonly id: string }>(
  table: Table<Row>,
  limit: number,
  { endOf, weightOf, drop }: RowRules<Row>,
): RowShelf<Row> {
  let ended: { readonly id: string; readonly at: number; readonly bytes: number }[] = [];
  /** Index of the oldest entry. */
  let start = 0;
  let bytes = 0;

  function add(row: Row): void {
    const entry = { id: row.id, at: endOf(row) ?? 0, bytes: weightOf(row) };
    ended.push(entry);
    bytes += entry.bytes;
  }

  return {
    limit,
    count: () => ended.length - start,
    bytes: () => bytes,
    oldestAt: () => ended[start]?.at,
    dropOldest() {
      const entry = ended[start];
      if (!entry) return;
      start += 1;
      bytes -= entry.bytes;
      const row = table.get(entry.id);
      if (row && endOf(row) === entry.at) drop(entry.id);
      if (start < CUT_FROM || start * 2 < ended.length) return;
      ended = ended.slice(start);
      start = 0;
    },
    add,
    reload() {
      ended = [];
      start = 0;
      bytes = 0;
      const rows = table.oldest(EVERY_ROW).filter((row) => endOf(row) !== undefined);
      for (const row of rows.sort((a, b) => (endOf(a) ?? 0) - (endOf(b) ?? 0))) add(row);
    },
  };
}

/** Drops a generation and its finished callbacks; a pending callback is dropped once it has finished and is too old. */
function dropGeneration(store: Store, id: string): void {
  const deliveries = store.table('deliveries');
  for (const delivery of deliveries.oldest({ ...EVERY_ROW, index: 'request', key: id })) {
    if (delivery.status !== 'pending') deliveries.delete(delivery.id);
  }
  store.table('generations').delete(id);
}
