import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { memoryStore } from '../../../mock-server/index.ts';
import { contractServer, GENERATE } from './helpers.ts';

const script = fileURLToPath(new URL('../../../bench/service/memory.ts', import.meta.url));
const KEYS_KEPT = 100_000;

test('a heap of 128 MB survives 130 MB of prompts of 96 kB', { timeout: 180_000 }, async () => {
  const args = ['--no-warnings', '--max-old-space-size=128', script, '1500', String(96 * 1024)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toMatchObject({ requests: 1500 });
});

test('beyond 100 000 idempotency keys, the oldest are forgotten', async () => {
  const memory = memoryStore();
  const kept = memory.table('idempotency');
  // As if 99 997 others were there.
  const table = ((name) =>
    name === 'idempotency'
      ? { ...kept, count: () => kept.count() + KEYS_KEPT - 3 }
      : memory.table(name)) as typeof memory.table;
  const { call } = contractServer({ store: { ...memory, table } });
  const generated = async (key: string) => {
    const headers = { 'idempotency-key': key };
    const response = await call('POST', GENERATE, { prompt: 'p' }, { headers });
    return response.headers.get('idempotency-replayed');
  };
  for (const key of ['1', '2', '3', '4']) await generated(key);
  expect(kept.count()).toBe(3);
  expect([await generated('2'), await generated('1')]).toEqual(['true', null]);
});
