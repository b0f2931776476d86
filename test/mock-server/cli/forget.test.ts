import pg from 'pg';
import { createClient } from 'redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { postgresDedupe } from '../../../src/webhooks/postgres.ts';
import { redisDedupe } from '../../../src/webhooks/redis.ts';
import { needs } from '../../support/needs.ts';
import { withPostgres, withRedis } from '../../support/servers.ts';
import { invoke } from './invoke.ts';

async function inPostgres() {
  const { url, stop } = await withPostgres();
  const pool = new pg.Pool({ connectionString: url });
  onTestFinished(() => pool.end().then(stop));
  return { url, store: postgresDedupe((text, params) => pool.query(text, params)), args: [] };
}

async function inRedis() {
  const { url, stop } = await withRedis();
  const client = await createClient({ url }).connect();
  onTestFinished(async () => {
    client.destroy();
    await stop();
  });
  return { url, store: redisDedupe(client, { prefix: 'app:' }), args: ['--prefix', 'app:'] };
}

describe.each([
  ['postgres', inPostgres],
  ['redis', inRedis],
] as const)('contentgen forget, with %s', (name, open) => {
  test.runIf(needs(name))(
    'makes a handled delivery new, and names one that was not known',
    async () => {
      const { url, store, args } = await open();
      await store.complete('msg_1', 'a');
      const forget = (...ids: string[]) => invoke(['forget', ...ids, '--store', url, ...args]);
      expect(await forget('msg_1')).toMatchObject({ code: 0, out: 'msg_1  forgotten' });
      expect(await store.claim('msg_1', 'b')).toEqual({ state: 'claimed' });
      const again = await forget('msg_1', '--json');
      expect(again).toMatchObject({ code: 1, out: '{"msg_1":false}' });
    },
  );
});

test.each([
  [['--store', 'mysql://x'], '--store must begin with postgres:// or redis://.'],
  [[], '--store is missing'],
  [['--store', 'redis://:hidden@127.0.0.1:1'], 'Failed to use redis://'],
])('contentgen forget msg_1 %j says what is wrong', async (args, problem) => {
  const { code, err } = await invoke(['forget', 'msg_1', ...args]);
  expect(code).toBe(2);
  expect(err).toContain(problem);
  expect(err).not.toContain('hidden');
});
