import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { memoryStore, type Store } from '../../../mock-server/index.ts';
import { contractServer, GENERATE } from './helpers.ts';

const script = fileURLToPath(new URL('../../../bench/service/memory.ts', import.meta.url));
const KEYS_KEPT = 100_000;

test('a heap of 128 MB survives 130 MB of prompts of 96 kB', { timeout: 180_000 }, async () => {
  const args = ['--no-warnings', '--max-old-space-size=128', script, '1500', String(96 * 1024)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toMatchObject({ requests: 1500 });
});

test('beyond 100 000 idempotency keys, the oldest are forgotten', async () => {
  const store = memoryStore();
  const { mock, call } = contractServer({ store });
  const kept = store.table('idempotency');
  for (let at = 0; at < KEYS_KEPT; at += 1) {
    kept.put({
      id: `idm_${String(at).padStart(12, '0')}`,
      key: `key-${at}`,
      fingerprint: 'f',
      status: 200,
      expiresAt: mock.clock.now() + 1000,
    });
  }
  store.table('counters').put({ id: 'idempotency', value: KEYS_KEPT });
  const headers = { 'idempotency-key': 'newest' };
  expect((await call('POST', GENERATE, { prompt: 'p' }, { headers })).status).toBe(200);
  expect(kept.count()).toBe(KEYS_KEPT);
  const [[oldest], [newest]] = [kept.oldest({ limit: 1 }), kept.newest({ limit: 1 })];
  expect([oldest?.id, newest?.id]).toEqual(['idm_000000000001', 'idm_000000100001']);
});

test('a GET writes nothing to the store, and a POST one counter beside its rows', async () => {
  const memory = memoryStore();
  const written: string[] = [];
  const table: Store['table'] = (name) => {
    const inner = memory.table(name);
    const put: typeof inner.put = (row) => {
      written.push(name);
      inner.put(row);
    };
    return { ...inner, put };
  };
  const { ok } = contractServer({ store: { ...memory, table } });
  await ok('POST', GENERATE, { prompt: 'The first writes the last use of its key' });
  written.length = 0;
  await ok('GET', '/api/usage');
  expect(written).toEqual([]);
  await ok('POST', GENERATE, { prompt: 'p' });
  expect(written.sort()).toEqual(['counters', 'generations', 'generations', 'usage']);
});
