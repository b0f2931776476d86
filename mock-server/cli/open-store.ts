import { checkSnapshot, type Snapshot } from '../control/snapshot/snapshot.ts';
import type { StoreSnapshot } from '../domain/ports.ts';
import type { MockServerOptions } from '../index.ts';
import { memoryStore } from '../stores/memory.ts';
import { readText, UsageError } from './values.ts';

export interface StoreFlags {
  readonly data: string | undefined;
  readonly snapshot: string | undefined;
}

export interface OpenSnapshot {
  readonly file: string;
  readonly snapshot: Snapshot;
  /** False if the data file already holds records. */
  readonly used: boolean;
}

type Store = NonNullable<MockServerOptions['store']>;

export interface OpenStore {
  readonly store: Store;
  readonly snapshot?: OpenSnapshot;
  /** Call it after closing the server. */
  close(): void;
}

/** Opens the file that `--data` names, or memory (without it, and for `:memory:`), and fills it from the file that `--snapshot` names if it is empty. */
export async function openStore(
  { data, snapshot: file }: StoreFlags,
  onWarning: (sentence: string) => void,
): Promise<OpenStore> {
  const snapshot = file === undefined ? undefined : readSnapshot(file);
  // SQLite's word for it: a file of that name would surprise.
  const opened =
    data === undefined || data === ':memory:'
      ? { store: memoryStore(), close: () => {} }
      : await openFile(data, onWarning);
  if (file === undefined || snapshot === undefined) return opened;
  const used = opened.store.table('organizations').count() === 0;
  // Before the server exists: it then starts as after a restart, and a reset returns to the snapshot.
  if (used) opened.store.restore(snapshot.state as StoreSnapshot);
  return { ...opened, snapshot: { file, snapshot, used } };
}

async function openFile(data: string, onWarning: (sentence: string) => void): Promise<OpenStore> {
  const { sqliteStore, DataFileError } = await import('../http/serve.ts');
  try {
    const store = sqliteStore(data, onWarning);
    return { store, close: () => store.close() };
  } catch (error) {
    throw error instanceof DataFileError ? new UsageError(error.message) : error;
  }
}

function readSnapshot(file: string): Snapshot {
  const text = readText(file, 'Pass --snapshot a readable JSON file.');
  try {
    const snapshot = JSON.parse(text) as Snapshot;
    checkSnapshot(snapshot);
    return snapshot;
  } catch {
    throw new UsageError(`${file} is not a snapshot. Save one with mock.snapshot(), as JSON.`);
  }
}
