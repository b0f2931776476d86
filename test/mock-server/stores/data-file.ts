import { copyFileSync, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type MockInstance, onTestFinished, vi } from 'vitest';
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

/** From now on no commit succeeds. */
export function fillDisk(): MockInstance<DatabaseSync['exec']> {
  const { exec } = DatabaseSync.prototype;
  return vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (
    this: DatabaseSync,
    sql,
  ) {
    if (sql === 'COMMIT') throw new Error('database or disk is full');
    exec.call(this, sql);
  });
}
