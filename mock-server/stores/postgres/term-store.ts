import type { Store } from '../../domain/ports.ts';
import type { TableName } from '../../domain/records.ts';
import { createLogPacks, type PackChanges } from '../log-packs.ts';
import {
  isLog,
  isLogCounter,
  LOG_DELAY_MS,
  rowsOf,
  tableNames,
  watchedStore,
} from '../watched-table.ts';
import type { RowChanges } from './rows.ts';

export interface TermStoreOptions {
  /** A copy of what the database holds. */
  readonly memory: Store;
  /** Ids of the packs of each log that the database holds, oldest first. */
  readonly packs?: ReadonlyMap<TableName, readonly string[]>;
  /** Commits changes in one transaction. */
  readonly write: (changes: RowChanges) => Promise<void>;
  /** Whether it is certain that no other process has taken over. */
  readonly isConfirmed: () => boolean;
  /** Asks the database; rejects if this process is no longer the leader. */
  readonly confirm: () => Promise<void>;
}

export interface TermStore extends Store {
  /**
   * Resolves once everything written so far is committed, except for log lines, and it is certain that this process is
   * still the leader.
   */
  flushed(): Promise<void> | undefined;
  /** Resolves once the log lines are committed too. */
  flushedLogs(): Promise<void>;
  /** From now on writing throws and `flushed` rejects. */
  end(reason: Error): void;
}

interface Batch {
  readonly committed: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The leader's store, for one term. All writes made in one turn of the event loop share one transaction; those made
 * during a commit share the next one. Log lines, which no response acknowledges, are committed within 100 ms. If a
 * commit fails, the next one includes its changes.
 */
export function createTermStore(options: TermStoreOptions): TermStore {
  const { memory, packs, isConfirmed, confirm } = options;
  const changes = createChanges(memory, packs);
  const commits = createCommits(changes, options.write);
  let ended: Error | undefined;
  let logTimer: ReturnType<typeof setTimeout> | undefined;

  function watch(name: TableName): (id: string) => void {
    return (id) => {
      const acknowledged = !isLog(name) && !isLogCounter(name, id);
      changes.add(name, id, acknowledged);
      if (acknowledged) commits.schedule();
      else logTimer ??= setTimeout(commitLogs, LOG_DELAY_MS);
    };
  }

  function commitLogs(): void {
    clearTimeout(logTimer);
    logTimer = undefined;
    changes.includeLogs = true;
    commits.schedule();
  }

  async function settle(): Promise<void> {
    await commits.latest();
    while (!isConfirmed()) {
      if (ended) throw ended;
      await confirm();
    }
    if (ended) throw ended;
  }

  return {
    ...watchedStore(memory, {
      beforeChange() {
        if (ended) throw ended;
      },
      watch,
      replaced() {
        changes.replaceAll();
        commits.schedule();
      },
    }),
    flushed() {
      if (ended) return Promise.reject(ended);
      return commits.latest() || !isConfirmed() ? settle() : undefined;
    },
    flushedLogs() {
      if (logTimer) commitLogs();
      return settle();
    },
    end(reason) {
      ended ??= reason;
      clearTimeout(logTimer);
      commits.abandon(ended);
    },
  };
}

type Changes = ReturnType<typeof createChanges>;

/** Tracks which rows differ between memory and the database. */
function createChanges(memory: Store, packs: TermStoreOptions['packs']) {
  const logs = new Map(
    tableNames
      .filter(isLog)
      .map((name) => [name, createLogPacks(rowsOf(memory, name), packs?.get(name) ?? [])]),
  );
  let ids = new Map<TableName, Set<string>>();
  let replaced = false;

  function add(name: TableName, id: string): void {
    const known = ids.get(name);
    if (known) known.add(id);
    else ids.set(name, new Set([id]));
  }

  return {
    /** Whether a change that a response might acknowledge is not committed yet. */
    pending: false,
    /** Whether the next commit writes the log lines as well. */
    includeLogs: false,
    add(name: TableName, id: string, acknowledged: boolean): void {
      add(name, id);
      this.pending ||= acknowledged;
    },
    replaceAll() {
      replaced = true;
      this.pending = true;
      this.includeLogs = true;
      ids = new Map(
        tableNames.map((name) => {
          const rows = rowsOf(memory, name).oldest({ limit: Number.POSITIVE_INFINITY });
          return [name, new Set(rows.map(({ id }) => id))];
        }),
      );
    },
    /** Takes the changes that the next commit writes. Call `committed` after it, or `putBack` if it fails. */
    take(): { readonly changes: RowChanges; committed(): void; putBack(): void } {
      const { includeLogs } = this;
      const taken = new Map([...ids].filter(([name]) => includeLogs || !isLog(name)));
      const takenReplaced = replaced;
      for (const name of taken.keys()) ids.delete(name);
      replaced = false;
      this.pending = false;
      this.includeLogs = false;
      const packed = includeLogs
        ? [...logs].map(([kind, log]) => ({
            kind,
            ...log.take(taken.get(kind) ?? none, takenReplaced),
          }))
        : [];
      return {
        changes: toRows(memory, taken, takenReplaced, packed),
        committed: () => {
          for (const { committed } of packed) committed();
        },
        putBack: () => {
          replaced ||= takenReplaced;
          for (const [name, set] of taken) for (const id of set) add(name, id);
          this.pending = true;
          this.includeLogs ||= includeLogs;
        },
      };
    },
  };
}

const none: ReadonlySet<string> = new Set();

function toRows(
  memory: Store,
  ids: Map<TableName, Set<string>>,
  replaced: boolean,
  packed: readonly ({ readonly kind: TableName } & PackChanges)[],
): RowChanges {
  const written: RowChanges['written'][number][] = [];
  const deleted: RowChanges['deleted'][number][] = [];
  for (const [kind, changed] of ids) {
    if (isLog(kind)) continue;
    const table = rowsOf(memory, kind);
    for (const id of changed) {
      const row = table.get(id);
      if (row) written.push({ kind, id, text: JSON.stringify(row) });
      else if (!replaced) deleted.push({ kind, id });
    }
  }
  for (const { kind, written: packs, deleted: ids } of packed) {
    written.push(...packs.map((pack) => ({ kind, ...pack })));
    if (!replaced) deleted.push(...ids.map((id) => ({ kind, id })));
  }
  return { replaced, written, deleted };
}

/** Runs one commit at a time; changes made during a commit go into the next one. */
function createCommits(changes: Changes, write: TermStoreOptions['write']) {
  let next: Batch | undefined;
  let current: Batch | undefined;

  function schedule(): void {
    if (next) return;
    next = createBatch();
    if (!current) setImmediate(start);
  }

  async function start(): Promise<void> {
    if (current || !next) return;
    const batch = next;
    current = batch;
    next = undefined;
    const taken = changes.take();
    try {
      await write(taken.changes);
      taken.committed();
      batch.resolve();
    } catch (error) {
      taken.putBack();
      batch.reject(error);
    }
    current = undefined;
    if (next) void start();
  }

  return {
    schedule,
    /** The commit that includes the newest change; undefined when there is nothing to commit. */
    latest(): Promise<void> | undefined {
      if (!next && !current && changes.pending) schedule();
      return (next ?? current)?.committed;
    },
    abandon(reason: Error) {
      next?.reject(reason);
      current?.reject(reason);
      next = undefined;
    },
  };
}

function createBatch(): Batch {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => {}, () => {}];
  const committed = new Promise<void>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise;
    reject = rejectPromise;
  });
  // Waiting callers get the error. Without any, it must not become an unhandled rejection.
  committed.catch(() => {});
  return { committed, resolve, reject };
}
