import { copyFileSync, existsSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { type SqliteStore, sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { temporaryFile } from '../../support/temporary.ts';

/** Opens a store that is closed after the test. */
export function open(path = temporaryFile()): SqliteStore {
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  return store;
}

/** A copy of the file as a process killed at this moment would leave it. */
export function killed(path: string): string {
  const copy = temporaryFile();
  for (const suffix of ['', '-wal']) {
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  }
  return copy;
}
