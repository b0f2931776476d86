import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { mswHandlers } from '../../../mock-server/msw/handlers.ts';
import { type MockSetup, setupMockServer } from '../../../mock-server/msw/node.ts';
import { ContentGen } from '../../../src/index.ts';
import { createWebhookHandler } from '../../../src/webhooks/index.ts';
import { toNodeHandler } from '../../../src/webhooks/node/index.ts';
import { closeAfterwards, serve } from '../../support/sockets.ts';

function setup(...options: Parameters<typeof setupMockServer>): MockSetup {
  const opened = setupMockServer(...options);
  closeAfterwards(() => opened.close());
  return opened;
}

const clientOf = ({ mock }: MockSetup) =>
  new ContentGen({ baseUrl: mock.baseUrl, apiKey: mock.adminKey, maxRetries: 0 });

test('a receiver over real HTTP in the same process gets its callback while unhandled requests are errors', async () => {
  const opened = setup({ clock: 'manual', onUnhandledRequest: 'error' });
  const { mock } = opened;
  const received: unknown[] = [];
  const handler = createWebhookHandler({
    secret: mock.signingSecret,
    now: mock.clock.now,
    on: { generation_completed: ({ payload }) => void received.push(payload.requestId) },
  });
  const origin = await serve(toNodeHandler(handler));
  const webhookUrl = `${origin}/callbacks`;
  const job = await clientOf(opened).content.generate({ prompt: 'later', webhookUrl });
  await expect
    .poll(async () => {
      await mock.settle();
      return received;
    })
    .toEqual([job.requestId]);
  // As those of a test of the application's own server.
  expect((await fetch(`${origin}/other`)).status).not.toBe(200);
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

test('a second one replaces the first, and closing twice does no harm', async () => {
  const first = setup({ clock: 'manual' });
  const second = setup({ clock: 'manual' });
  expect((await clientOf(second).usage.get()).used).toBe(0);
  await first.close();
  expect((await clientOf(second).usage.get()).used).toBe(0);
  await expect(first.mock.fetch(`${first.mock.baseUrl}/api/usage`)).rejects.toThrow('closed');
});

test('a warning says when the second one has another base URL, so that the first is missed', () => {
  const warnings: string[] = [];
  const onWarning = (sentence: string) => warnings.push(sentence);
  for (const baseUrl of ['https://a.test', 'https://a.test', 'https://b.test']) {
    setup({ clock: 'manual', baseUrl, onWarning });
  }
  expect(warnings).toEqual([expect.stringContaining('requests to https://a.test')]);
});

describe.each([
  [
    'a Node that is too old for it',
    'Promise',
    new Proxy(Promise, { has: (target, key) => key !== 'withResolvers' && key in target }),
    'msw 3 needs Node 22.12',
  ],
  [
    'an AbortController that Request does not know, as of jsdom in Vitest 3',
    'AbortController',
    class {
      readonly signal = new EventTarget();
    },
    'Vitest 4',
  ],
])('msw 3 with %s', (_, name, value, sentence) => {
  beforeEach(() => void vi.stubGlobal(name, value));
  afterEach(() => void vi.unstubAllGlobals());

  test('is refused before a request fails', () => {
    expect(() => setup()).toThrow(sentence);
  });

  test('is told to those who set up their own server', () => {
    const warnings: string[] = [];
    const onWarning = (warning: string) => warnings.push(warning);
    mswHandlers(createMockServer({ clock: 'manual', onWarning }));
    expect(warnings).toEqual([expect.stringContaining(sentence)]);
  });
});

test('another copy of the package finds the open one', async () => {
  setup({ clock: 'manual' });
  vi.resetModules();
  const copy = await import('../../../mock-server/msw/node.ts');
  const second = copy.setupMockServer({ clock: 'manual' });
  closeAfterwards(() => second.close());
  expect((await clientOf(second).usage.get()).used).toBe(0);
});

test.each([
  ['msw 3', 'msw/node'],
  ['msw 2', 'msw-2/node'],
])('a server of your own on %s is noticed, and our own is not', async (_, path) => {
  const { setupServer } = (await import(path)) as typeof import('msw/node');
  const warnings: string[] = [];
  const onWarning = (sentence: string) => warnings.push(sentence);
  setup({ clock: 'manual', onWarning });
  await setup({ clock: 'manual', onWarning }).close();
  expect(warnings).toEqual([]);
  const own = setupServer();
  own.listen();
  closeAfterwards(() => own.close());
  setup({ clock: 'manual', onWarning });
  expect(warnings).toEqual([expect.stringContaining('setupServer(...mswHandlers(mock))')]);
});

test('a preflight without a method is one, and a request without credentials is not', async () => {
  const { mock } = setup({ clock: 'manual' });
  const preflight = await fetch(`${mock.baseUrl}/api/usage`, { method: 'OPTIONS' });
  expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    '*, Authorization',
  ]);
  expect((await fetch(`${mock.baseUrl}/api/usage`)).status).toBe(401);
});

test('without a path in the base URL only the paths of the contract are handled', async () => {
  const baseUrl = await serve((_, response) => response.end('a page of the application'));
  setup({ clock: 'manual', baseUrl });
  const statusOf = async (path: string) => (await fetch(baseUrl + path)).status;
  const handled = ['/api/nothing', '/v2/api/usage', '/api-keys', '/.well-known/jwks.json'];
  expect(await Promise.all(handled.map(statusOf))).toEqual([401, 401, 401, 200]);
  const passed = ['/', '/assets/index.js', '/apis', '/v2', '/@vite/client'];
  expect(await Promise.all(passed.map(statusOf))).toEqual(passed.map(() => 200));
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
