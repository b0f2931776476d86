import type { MockServerOptions } from '../index.ts';
import { UsageError } from './values.ts';

export interface StoreFlags {
  readonly data: string | undefined;
  readonly fsync: boolean;
}

export interface OpenStore {
  readonly store: NonNullable<MockServerOptions['store']>;
  /** Call it after closing the server. */
  close(): void;
}

/** Opens the file that `--data` names. */
export async function openStore({ data, fsync }: StoreFlags): Promise<OpenStore | undefined> {
  if (data === undefined) {
    if (fsync) throw new UsageError('--fsync needs --data.');
    return undefined;
  }
  const { sqliteStore, DataFileError } = await import('../http/serve.ts');
  try {
    const store = sqliteStore(data, { fsync });
    return { store, close: () => store.close() };
  } catch (error) {
    throw error instanceof DataFileError ? new UsageError(error.message) : error;
  }
}
