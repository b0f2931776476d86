import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
  type Store,
} from '../../../mock-server/index.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { begun, GENERATE } from '../service/helpers.ts';

const webhookUrl = 'https://app.example/cb';
const KEYS = '/api/auth/api-keys';

/** A memory store that claims to be durable, so that a second server on it acts like a restart. */
function lastingStore(): Store {
  return { ...memoryStore(), flushed: () => undefined };
}

const start = (store: Store, options: MockServerOptions = {}) =>
  createMockServer({ clock: 'manual', seed: 1, store, ...options });

const call = (mock: MockServer, key: string, path: string, body?: object) =>
  mock.fetch(mock.baseUrl + path, {
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

const listed = async (...[mock, key, path]: [mock: MockServer, key: string, path: string]) =>
  (await (await call(mock, key, path)).json()).data;

const never = async function* (): AsyncGenerator<string> {
  yield await new Promise<string>(() => {});
};

test('a store that holds an organization is resumed: its keys work but can no longer be shown', async () => {
  const store = lastingStore();
  const [first, second] = [start(store), start(store)];
  expect([internalsOf(first).resumed, internalsOf(second).resumed]).toEqual([false, true]);
  const { organization, signingSecret } = first;
  expect(second).toMatchObject({ adminKey: '', memberKey: '', organization, signingSecret });
  expect(internalsOf(second).project).toBe(internalsOf(first).project);
  expect((await call(second, first.adminKey, GENERATE, { prompt: 'p' })).status).toBe(200);
  expect(second.snapshot().state['projects']).toHaveLength(1);
  expect(internalsOf(second).page.server()).not.toHaveProperty('adminKey');
  expect(internalsOf(second).page.server()).not.toHaveProperty('memberKey');
});

test('work that was in flight is repeated exactly once', async () => {
  const store = lastingStore();
  const first = start(store, { generator: never, patience: 20, onWarning: () => {} });
  await call(first, first.adminKey, GENERATE, { prompt: 'p', webhookUrl });
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
  const first = start(store, { generator: never });
  const running = begun(first);
  void call(first, first.adminKey, GENERATE, { prompt: 'p' }).catch(() => {});
  await running;
  const failed = { status: 'failed', error: { code: 'generation_failed' } };
  expect(await listed(start(store), first.adminKey, GENERATE)).toMatchObject([failed]);
  await first.close();
});

test('importing an admin key repeatedly has no further effect', async () => {
  const { adminKey } = start(memoryStore(), { seed: 9 });
  const store = lastingStore();
  const first = start(store);
  for (let turn = 0; turn < 2; turn += 1) {
    const mock = start(store, { adminKey });
    expect(mock.adminKey).toBe(adminKey);
    expect(await listed(mock, adminKey, KEYS)).toHaveLength(3);
  }
  await first.close();
});

test('a reset after a restart returns to the initial state', async () => {
  const store = lastingStore();
  const first = start(store);
  const { adminKey } = first;
  await call(first, adminKey, KEYS, { name: 'later' });
  const second = start(store);
  await call(second, adminKey, KEYS, { name: 'later still' });
  second.reset();
  const third = start(store);
  third.reset();
  const keys: { readonly name: string }[] = await listed(third, adminKey, KEYS);
  expect(keys.map(({ name }) => name)).toEqual(['member', 'admin']);
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
  await call(mock, mock.adminKey, GENERATE, { prompt: 'p', webhookUrl });
  const done = new Promise<void>((resolve) => {
    internalsOf(mock).onEvent(({ type }) => type === 'generation.completed' && resolve());
  });
  await mock.clock.advance(3_600_000 - 50);
  await done;
  await mock.close();
});
