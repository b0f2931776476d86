import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import {
  createMockServer,
  type MockServerOptions,
  memoryStore,
} from '../../../mock-server/index.ts';
import type {
  Candidate,
  LeaderFacts,
  SharedStore,
} from '../../../mock-server/stores/shared-store.ts';

/** The part of the server that a standby reads; the tests do not use it. */
const home = { organization: {}, project: {} } as NonNullable<LeaderFacts['home']>;

async function served(options: MockServerOptions = {}) {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  const server = await serve(mock, { port: 0 });
  onTestFinished(async () => {
    await server.close({ graceMs: 0 });
    await mock.close();
  });
  return { url: server.url };
}

test('/health is ok without credentials', async () => {
  const { url } = await served();
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: 'ok', uptimeSeconds: expect.any(Number) });
});

test('/health is 503 while changes cannot be saved', async () => {
  let full = false;
  const flushed = () => (full ? Promise.reject(new Error('disk full')) : undefined);
  const { url } = await served({ store: { ...memoryStore(), flushed } });
  full = true;
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ status: 'unavailable' });
});

test('/health of a standby is 503 while there is no leader', async () => {
  let candidate: Candidate | undefined;
  const store: SharedStore = {
    join(joined) {
      candidate = joined;
      joined.onStandby({ url: 'http://10.0.0.1:4010', home });
      return { advertise() {}, close: async () => {} };
    },
  };
  const { url } = await served({ store, onError: () => {} });
  const status = async () => (await fetch(`${url}/health`)).status;
  expect(await status()).toBe(200);
  candidate?.onError(new Error('The database is gone.'));
  const response = await fetch(`${url}/health`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'unavailable', uptimeSeconds: expect.any(Number), detail: expect.any(String) },
  ]);
  const duringTakeover = status();
  candidate?.onStandby({ url: 'http://10.0.0.2:4010', home });
  expect(await duringTakeover).toBe(200);
});
