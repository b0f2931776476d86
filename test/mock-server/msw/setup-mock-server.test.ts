import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { type MockSetup, setupMockServer } from '../../../mock-server/msw/node.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function setup(...options: Parameters<typeof setupMockServer>): MockSetup {
  const opened = setupMockServer(...options);
  cleanups.push(() => opened.close());
  return opened;
}

const clientOf = ({ mock }: MockSetup) =>
  new ContentGen({ baseUrl: mock.baseUrl, apiKey: mock.adminKey, maxRetries: 0 });

test('any HTTP client in the process reaches the mock without changes', async () => {
  const opened = setup({ clock: 'manual', seed: 1 });
  const done = await clientOf(opened).content.generate({ prompt: 'A haiku about TCP' });
  expect(done.status).toBe('completed');
});

test('a receiver over real HTTP in the same process gets its callback while unhandled requests are errors', async () => {
  const opened = setup({ clock: 'manual', onUnhandledRequest: 'error' });
  const { mock } = opened;
  const received: unknown[] = [];
  const handler = createWebhookHandler({
    secret: mock.signingSecret,
    now: mock.clock.now,
    on: { generation_completed: ({ payload }) => void received.push(payload.requestId) },
  });
  const server = createServer(toNodeHandler(handler));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const webhookUrl = `http://127.0.0.1:${port}/callbacks`;
  const job = await clientOf(opened).content.generate({ prompt: 'later', webhookUrl });
  await expect
    .poll(async () => {
      await mock.settle();
      return received;
    })
    .toEqual([job.requestId]);
  await expect(fetch(`http://127.0.0.1:${port}/other`)).rejects.toThrow();
});

test('server.use() overrides one operation and not the others', async () => {
  const opened = setup({ clock: 'manual' });
  const client = clientOf(opened);
  const usage = { organization: 'org_x', used: 7 };
  opened.server.use(http.get(`${opened.mock.baseUrl}/api/usage`, () => HttpResponse.json(usage)));
  expect(await client.usage.get()).toMatchObject(usage);
  expect((await client.apiKeys.list()).data.length).toBeGreaterThan(0);
});

test('every operation has its own handler, so that overrides and logs name it', () => {
  const { server, mock } = setup({ clock: 'manual' });
  const headers = server
    .listHandlers()
    .map((handler) => ('info' in handler ? handler.info.header : ''));
  expect(headers).toContain(`POST ${mock.baseUrl}/api/ai/content/generate`);
  expect(headers).toContain(`POST ${mock.baseUrl}/v2/api/ai/content/generate`);
  expect(new Set(headers).size).toBe(headers.length);
  const literal = headers.indexOf(`GET ${mock.baseUrl}/api/webhooks/signing-secret`);
  expect(literal).toBeGreaterThan(-1);
  expect(literal).toBeLessThan(headers.indexOf(`GET ${mock.baseUrl}/api/webhooks/:id`));
});

test('a second one in the process throws with the reason, and closing twice does no harm', async () => {
  const first = setup();
  expect(() => setupMockServer()).toThrow(/another one is open/);
  await first.close();
  await first.close();
  const second = setup({ clock: 'manual' });
  expect((await clientOf(second).usage.get()).used).toBe(0);
  await first.close();
  expect((await clientOf(second).usage.get()).used).toBe(0);
});

test('`using` ends interception at the end of its block', async () => {
  const original = globalThis.fetch;
  {
    using opened = setupMockServer({ clock: 'manual' });
    expect((await clientOf(opened).usage.get()).used).toBe(0);
  }
  expect(globalThis.fetch).toBe(original);
});

test('a base URL with a prefix, a port and a path is intercepted', async () => {
  const opened = setup({ clock: 'manual', baseUrl: 'http://localhost:4010/gateway/v2' });
  expect((await clientOf(opened).usage.get()).used).toBe(0);
  const bare = new ContentGen({
    baseUrl: 'http://localhost:4010/gateway',
    apiKey: opened.mock.adminKey,
  });
  expect((await bare.usage.get()).used).toBe(0);
});
