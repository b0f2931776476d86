import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type SqliteStore, sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import type { DataFileOptions } from '../../../mock-server/stores/sqlite-file.ts';

/** A path in a temporary folder that is deleted when the test ends. */
export function temporaryFile(name = 'contentgen.db'): string {
  const folder = mkdtempSync(join(tmpdir(), 'contentgen-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, name);
}

/** Opens a store that is closed after the test. */
export function open(path: string, options?: DataFileOptions): SqliteStore {
  const store = sqliteStore(path, options);
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
