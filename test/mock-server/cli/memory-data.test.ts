import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStore } from '../../../mock-server/cli/open-store.ts';

test('--data :memory: keeps everything in memory, and makes no file of that name', async () => {
  const { store, close } = await openStore({ data: ':memory:', fsync: false, snapshot: undefined });
  expect(store.table('organizations').count()).toBe(0);
  close();
  expect(existsSync(':memory:')).toBe(false);
});
