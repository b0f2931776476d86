import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../mock-server/http/serve.ts';
import {
  createMockServer,
  type MockServerOptions,
  memoryStore,
} from '../../../mock-server/index.ts';

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
