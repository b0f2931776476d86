import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import {
  createMockServer,
  type MockServerOptions,
  type Store,
} from '../../../mock-server/index.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { begun } from '../service/helpers.ts';

const GENERATE = '/api/ai/content/generate';
const webhookUrl = 'https://app.example/cb';

/** A memory store that claims to be durable, so that a second server on it acts like a restart. */
function lastingStore(): Store {
  return { ...memoryStore(), flushed: () => undefined };
}

const start = (store: Store, options: MockServerOptions = {}) =>
  createMockServer({ clock: 'manual', seed: 1, store, ...options });

const post = (mock: ReturnType<typeof start>, key: string, path: string, body: object) =>
  mock.fetch(mock.baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('a store that holds an organization is resumed: its keys work but can no longer be shown', async () => {
  const store = lastingStore();
  const first = start(store);
  const second = start(store);
  expect([internalsOf(first).resumed, internalsOf(second).resumed]).toEqual([false, true]);
  expect(second).toMatchObject({
    adminKey: '',
    memberKey: '',
    organization: first.organization,
    signingSecret: first.signingSecret,
  });
  expect(internalsOf(second).project).toBe(internalsOf(first).project);
  expect((await post(second, first.adminKey, GENERATE, { prompt: 'p' })).status).toBe(200);
  expect(internalsOf(second).page.organizations()).toHaveLength(1);
});

test('work that was in flight is repeated exactly once', async () => {
  const store = lastingStore();
  const never = async function* (): AsyncGenerator<string> {
    yield await new Promise<string>(() => {});
  };
  const first = start(store, { generator: never, patience: 20, onWarning: () => {} });
  await post(first, first.adminKey, GENERATE, { prompt: 'p', webhookUrl });
  await first.settle();
  expect(first.events().at(-1)?.type).toBe('generation.accepted');

  const second = start(store);
  let calls = 0;
  second.receivers.set(webhookUrl, () => {
    calls += 1;
    return new Response();
  });
  await second.settle();
  await second.clock.advance('1 day');
  expect(calls).toBe(1);
});

test('a generation that was running when the process ended has failed', async () => {
  const store = lastingStore();
  const first = start(store, {
    generator: async function* () {
      yield await new Promise<string>(() => {});
    },
  });
  const running = begun(first);
  void post(first, first.adminKey, GENERATE, { prompt: 'p' }).catch(() => {});
  await running;
  const second = start(store);
  const response = await second.fetch(second.baseUrl + GENERATE, {
    headers: { 'x-api-key': first.adminKey },
  });
  const { data } = await response.json();
  expect(data).toMatchObject([{ status: 'failed', error: { code: 'generation_failed' } }]);
  await first.close();
});

test('importing an admin key repeatedly has no further effect', async () => {
  const { adminKey } = start(memoryStore(), { seed: 9 });
  const store = lastingStore();
  const first = start(store);
  for (let turn = 0; turn < 2; turn += 1) {
    const mock = start(store, { adminKey });
    expect(mock.adminKey).toBe(adminKey);
    const keys = await mock.fetch(`${mock.baseUrl}/api/auth/api-keys`, {
      headers: { 'x-api-key': adminKey },
    });
    expect((await keys.json()).data).toHaveLength(3);
  }
  await first.close();
});

test('a reset after a restart returns to the initial state', async () => {
  const store = lastingStore();
  const first = start(store);
  await post(first, first.adminKey, '/api/auth/api-keys', { name: 'later' });
  const second = start(store);
  await post(second, first.adminKey, '/api/auth/api-keys', { name: 'later still' });
  second.reset();
  const third = start(store);
  third.reset();
  const keys = await third.fetch(`${third.baseUrl}/api/auth/api-keys`, {
    headers: { 'x-api-key': first.adminKey },
  });
  const { data } = await keys.json();
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['member', 'admin']);
});

test('a real clock that was moved forward stays so after a restart', async () => {
  const store = lastingStore();
  const first = createMockServer({ store });
  await first.clock.advance('10 days');
  await first.close();
  const second = createMockServer({ store });
  expect(second.clock.now() - Date.now()).toBeGreaterThan(9 * 86_400_000);
  second.reset();
  expect(second.clock.now() - Date.now()).toBeLessThan(86_400_000);
  await second.close();
});

test('on a real clock, moving the clock brings scheduled jobs forward', async () => {
  const mock = createMockServer({ processingTime: 3_600_000 });
  await post(mock, mock.adminKey, GENERATE, { prompt: 'p', webhookUrl });
  const done = new Promise<void>((resolve) => {
    internalsOf(mock).onEvent(({ type }) => type === 'generation.completed' && resolve());
  });
  await mock.clock.advance(3_600_000 - 50);
  await done;
  await mock.close();
});

test('a response whose writes could not be made durable becomes a 503', async () => {
  const errors: unknown[] = [];
  let full = false;
  const store: Store = {
    ...memoryStore(),
    flushed: () => (full ? Promise.reject(new Error('disk full')) : undefined),
  };
  const mock = start(store, { onError: (error) => errors.push(error) });
  const { adminKey } = mock;
  expect((await post(mock, adminKey, GENERATE, { prompt: 'p' })).status).toBe(200);
  full = true;
  const response = await post(mock, adminKey, GENERATE, { prompt: 'p' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ code: 'unavailable' });
  expect(errors).toHaveLength(1);
});

test("a restored snapshot neither contains nor replaces a server's initial state", () => {
  const other = start(lastingStore());
  const saved = other.createOrganization() && other.snapshot();
  const store = lastingStore();
  const first = start(store, { seed: 2 });
  const { organization } = first;
  first.restore(saved);
  const resumed = start(store, { seed: 2 });
  expect(resumed.organization).toBe(other.organization);
  resumed.reset();
  expect(internalsOf(resumed).page.organizations()).toMatchObject([{ organization }]);
});
