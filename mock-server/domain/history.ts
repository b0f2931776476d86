import { Log, type Logs } from './log.ts';
import type { Store, Table } from './ports.ts';
import { weights } from './records.ts';

/** How much is kept; `composition/defaults.ts` has the numbers that apply unless others are given. */
export interface HistoryLimits {
  /** How many lines each log has, and how many deliveries that have ended are kept. */
  readonly logLimit: number;
  readonly retention: {
    readonly count: number;
    /** What all of it can take in memory together. */
    readonly bytes: number;
  };
}

export type History = ReturnType<typeof createHistory>;

/** What is kept of the past: the logs, and the deliveries and generations that have ended. */
export function createHistory(store: Store, logs: Logs, limits: HistoryLimits) {
  const { logLimit, retention } = limits;
  const deliveries = endedRows(store.table('deliveries'), logLimit, {
    endOf: ({ status, attempts, createdAt }) =>
      status === 'pending' ? undefined : (attempts.at(-1)?.at ?? createdAt),
    weightOf: weights.deliveries,
    drop: (id) => store.table('deliveries').delete(id),
  });
  const generations = endedRows(store.table('generations'), retention.count, {
    endOf: ({ completedAt }) => completedAt,
    weightOf: weights.generations,
    drop: (id) => dropGeneration(store, id),
  });
  const shelves = [
    shelfOf(logs.requests, logLimit, ({ at, durationMs }) => at + durationMs),
    shelfOf(logs.events, logLimit, ({ at }) => at),
    deliveries,
    generations,
  ];

  /** Drops what is beyond the limits, the oldest first. Call it after something was logged. */
  function trim(): void {
    let bytes = 0;
    for (const { log, limit, dropOldest } of shelves) {
      while (log.count() > limit) dropOldest();
      bytes += log.bytes;
    }
    while (bytes > retention.bytes) {
      const oldest = shelves.reduce((a, b) => (b.oldestAt() < a.oldestAt() ? b : a));
      if (oldest.log.count() === 0) return;
      bytes -= oldest.log.bytes;
      oldest.dropOldest();
      bytes += oldest.log.bytes;
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

interface Line {
  readonly id: string;
  readonly at: number;
}

/** One kind of what is kept. */
function shelfOf<Kept extends Line>(
  log: Log<Kept>,
  limit: number,
  endOf: (line: Kept) => number,
  onDrop: (line: Kept) => void = () => {},
) {
  return {
    log: log as Pick<Log<Line>, 'bytes' | 'count'>,
    limit,
    /** When the oldest ended. */
    oldestAt: () => (log.first ? endOf(log.first) : Number.POSITIVE_INFINITY),
    dropOldest(): void {
      const line = log.dropOldest();
      if (line) onDrop(line);
    },
  };
}

interface RowRules<Row> {
  /** When it ended; undefined before. */
  endOf(row: Row): number | undefined;
  weightOf(row: Row): number;
  drop(id: string): void;
}

/** The rows of a table in the order in which they ended. What went on after its end has another entry then. */
function endedRows<Row extends { readonly id: string }>(
  table: Table<Row>,
  limit: number,
  { endOf, weightOf, drop }: RowRules<Row>,
) {
  const ended = new Log<Line & { readonly bytes: number }>('', ({ bytes }) => bytes);
  const add = (row: Row) => ended.add({ id: row.id, at: endOf(row) ?? 0, bytes: weightOf(row) });
  const shelf = shelfOf(
    ended,
    limit,
    ({ at }) => at,
    ({ id, at }) => {
      const row = table.get(id);
      if (row && endOf(row) === at) drop(id);
    },
  );
  return {
    ...shelf,
    add,
    reload(): void {
      ended.clear();
      const rows = table.oldest().filter((row) => endOf(row) !== undefined);
      for (const row of rows.sort((a, b) => (endOf(a) ?? 0) - (endOf(b) ?? 0))) add(row);
    },
  };
}

/** Drops a generation and its finished callbacks; a pending callback is dropped once it has finished and is too old. */
function dropGeneration(store: Store, id: string): void {
  const deliveries = store.table('deliveries');
  for (const delivery of deliveries.oldest({ index: 'request', key: id })) {
    if (delivery.status !== 'pending') deliveries.delete(delivery.id);
  }
  store.table('generations').delete(id);
}
