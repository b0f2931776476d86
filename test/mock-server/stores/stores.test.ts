import { existsSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../mock-server/cli/open-store.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { sqliteStore } from '../../../mock-server/stores/sqlite.ts';
import { storeConformance } from './conformance.ts';
import { temporaryFile } from './temporary-file.ts';

describe('memory', () => storeConformance(memoryStore));

describe('sqlite', () =>
  storeConformance(() => {
    const store = sqliteStore(temporaryFile());
    onTestFinished(() => store.close());
    return store;
  }));

test('--data :memory: keeps everything in memory, and makes no file of that name', async () => {
  const { store, close } = await openStore(
    { data: ':memory:', fsync: false, snapshot: undefined },
    () => {},
  );
  expect(store.table('organizations').count()).toBe(0);
  close();
  expect(existsSync(':memory:')).toBe(false);
});
