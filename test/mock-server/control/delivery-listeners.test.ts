import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PushedDelivery } from '../../../mock-server/control/listen/delivery-listeners.ts';
import type {
  ListenerRotation,
  ListenerView,
  ListenOptions,
} from '../../../mock-server/control/listen/listener-registrations.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { verifyWebhook } from '../../../src/webhooks/index.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function server(options: Parameters<typeof createMockServer>[0] = {}): MockServer {
  const mock = createMockServer({ clock: 'manual', seed: 1, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

/** A listener that responds to pushed deliveries, or not at all. */
function connect(mock: MockServer, options: ListenOptions = {}, status?: number) {
  const pushed: PushedDelivery[] = [];
  const ended: string[] = [];
  const rotations: ListenerRotation[] = [];
  let view: ListenerView | undefined;
  const respond = (delivery: PushedDelivery, code = 200) =>
    mock.listeners.respond(view?.name ?? '', delivery.id, { status: code });
  const disconnect = mock.listeners.connect(options, {
    ready: (given) => {
      view = given;
    },
    push(delivery) {
      pushed.push(delivery);
      if (status !== undefined) respond(delivery, status);
    },
    rotated: (rotation) => void rotations.push(rotation),
    end: (reason) => void ended.push(reason),
  });
  const { name, webhooks, secret } = view ?? expect.fail('not ready');
  return { name, webhooks, secret, pushed, ended, rotations, disconnect, respond };
}

async function rotate(
  mock: MockServer,
  body: object = {},
  path = 'signing-secret/rotate',
): Promise<string> {
  const response = await mock.fetch(`${mock.baseUrl}/api/webhooks/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { secret: string }).secret;
}

/** Which of the secrets verify the newest delivery to the listener. */
async function verifying(mock: MockServer, pushed: PushedDelivery[], secrets: readonly string[]) {
  mock.trigger('data_updated');
  await mock.settle();
  const { headers = {}, body = '' } = pushed.at(-1) ?? {};
  const checks = secrets.map((secret) =>
    verifyWebhook({ headers, body, secret, now: mock.clock.now, diagnose: false }).then(
      () => true,
      () => false,
    ),
  );
  return Promise.all(checks);
}

const registered = async (mock: MockServer): Promise<{ id: string; url: string }[]> => {
  const headers = { 'x-api-key': mock.adminKey };
  const response = await mock.fetch(`${mock.baseUrl}/api/webhooks`, { headers });
  return ((await response.json()) as { data: { id: string; url: string }[] }).data;
};

describe('registrations of a listener', () => {
  test('exist while it is connected and are gone once it has been away for 10 seconds', async () => {
    const mock = server();
    const { webhooks, disconnect } = connect(mock, { events: ['invoice_paid', 'data_updated'] });
    expect((await registered(mock)).map(({ id }) => id).sort()).toEqual([...webhooks].sort());
    disconnect();
    vi.advanceTimersByTime(9_999);
    expect(await registered(mock)).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(await registered(mock)).toEqual([]);
  });

  test('end with their organization, and so does the connection', async () => {
    const mock = server();
    const { organization } = mock.createOrganization();
    const [deleted, kept] = [connect(mock, { organization }), connect(mock, {})];
    mock.deleteOrganization(organization);
    expect([deleted.ended, kept.ended]).toEqual([['removed'], []]);
    expect(mock.listeners.remove(deleted.name)).toBe(false);
  });

  test('are kept when it reconnects under its name', async () => {
    const mock = server();
    const first = connect(mock, { name: 'mine' });
    first.disconnect();
    const second = connect(mock, { name: 'mine' });
    vi.advanceTimersByTime(60_000);
    expect(second.webhooks).toEqual(first.webhooks);
    expect(await registered(mock)).toHaveLength(4);
  });

  test('follow what it asks for when it reconnects', async () => {
    const mock = server();
    connect(mock, { name: 'mine', events: ['invoice_paid', 'data_updated'] });
    const second = connect(mock, { name: 'mine', events: ['data_updated', 'usage_threshold'] });
    expect((await registered(mock)).map(({ id }) => id).sort()).toEqual(
      [...second.webhooks].sort(),
    );
  });

  test('that an earlier process left behind are deleted unless it reconnects', async () => {
    const store = memoryStore();
    const earlier = server({ store });
    connect(earlier, { name: 'gone', events: ['data_updated'] });
    connect(earlier, { name: 'back', events: ['data_updated'] });
    const mock = server({ store, adminKey: earlier.adminKey });
    connect(mock, { name: 'back', events: ['data_updated'] });
    vi.advanceTimersByTime(10_000);
    const urls = (await registered(mock)).map(({ url }) => url);
    expect(urls).toEqual(['https://listen.contentgen.test/back']);
  });

  test('are deleted at once when it is removed', async () => {
    const mock = server();
    const { name, ended } = connect(mock);
    expect(mock.listeners.remove(name)).toBe(true);
    expect(ended).toEqual(['removed']);
    expect(await registered(mock)).toEqual([]);
    expect(mock.listeners.remove(name)).toBe(false);
  });
});

describe('deliveries to a listener', () => {
  test('wait while it is away and are pushed when it reconnects', async () => {
    const mock = server();
    const first = connect(mock, { name: 'mine' });
    first.disconnect();
    const [delivery] = mock.trigger('data_updated');
    const settled = mock.settle();
    const second = connect(mock, { name: 'mine' }, 200);
    await vi.waitUntil(() => mock.delivery(delivery?.id ?? '')?.status === 'delivered');
    await vi.runAllTimersAsync();
    await settled;
    expect(first.pushed).toEqual([]);
    expect(second.pushed).toHaveLength(1);
  });

  test('are pushed again under the same id when the response was lost', async () => {
    const mock = server();
    const first = connect(mock, { name: 'mine' });
    const [delivery] = mock.trigger('data_updated');
    const settled = mock.settle();
    await vi.waitUntil(() => first.pushed.length === 1);
    first.disconnect();
    const second = connect(mock, { name: 'mine' }, 200);
    await vi.waitUntil(() => mock.delivery(delivery?.id ?? '')?.status === 'delivered');
    await vi.runAllTimersAsync();
    await settled;
    expect(second.pushed).toEqual(first.pushed);
    expect(first.respond(second.pushed[0] as PushedDelivery)).toBe(false);
  });

  test.each([204, 304, 410, 503])(
    'end with the status that the listener returns: %i',
    async (status) => {
      const mock = server();
      connect(mock, {}, status);
      const [delivery] = mock.trigger('data_updated');
      await mock.settle();
      expect(mock.delivery(delivery?.id ?? '')?.attempts).toMatchObject([{ status }]);
    },
  );
});

describe('when the signing secret is rotated', () => {
  test('both secrets sign its events until the overlap ends, then only the new one', async () => {
    const mock = server();
    const { secret: old, pushed, rotations, webhooks } = connect(mock, {}, 200);
    const fresh = await rotate(mock);
    expect(rotations).toEqual([
      { secret: fresh, previousExpiresAt: new Date(mock.clock.now() + 86_400_000).toISOString() },
    ]);
    expect(await verifying(mock, pushed, [old, fresh])).toEqual([true, true]);
    await mock.clock.advance('1 day');
    expect(await verifying(mock, pushed, [old, fresh])).toEqual([false, true]);
    expect((await registered(mock)).map(({ id }) => id).sort()).toEqual([...webhooks].sort());
  });

  test('without an overlap, only the new one signs, at once', async () => {
    const mock = server();
    const { secret: old, pushed, rotations } = connect(mock, {}, 200);
    const fresh = await rotate(mock, { overlapSeconds: 0 });
    expect(rotations).toEqual([{ secret: fresh }]);
    expect(await verifying(mock, pushed, [old, fresh])).toEqual([false, true]);
  });

  test('a listener that is away at that time, or connects during the overlap, gets both signatures', async () => {
    const mock = server();
    const away = connect(mock, { name: 'mine', events: ['data_updated'] });
    away.disconnect();
    mock.trigger('data_updated');
    const fresh = await rotate(mock);
    const back = connect(mock, { name: 'mine', events: ['data_updated'] }, 200);
    expect(back).toMatchObject({ secret: fresh, webhooks: away.webhooks });
    expect(await verifying(mock, back.pushed, [away.secret, fresh])).toEqual([true, true]);
    expect(back.pushed).toHaveLength(2);
    const late = connect(mock, { events: ['data_updated'] }, 200);
    expect(await verifying(mock, late.pushed, [away.secret, fresh])).toEqual([true, true]);
  });

  test('registrations that an earlier process left behind are updated too', async () => {
    const store = memoryStore();
    const earlier = server({ store });
    const { secret: old, webhooks } = connect(earlier, { name: 'back', events: ['data_updated'] });
    const mock = server({ store, adminKey: earlier.adminKey });
    const fresh = await rotate(mock);
    const back = connect(mock, { name: 'back', events: ['data_updated'] }, 200);
    expect(back.webhooks).toEqual(webhooks);
    expect(await verifying(mock, back.pushed, [old, fresh])).toEqual([true, true]);
  });

  test('of one registration, the listener is notified, and that registration keeps it', async () => {
    const mock = server();
    const asked = { name: 'mine', secret: `whsec_${'B'.repeat(32)}` };
    const first = connect(mock, { ...asked, events: ['data_updated', 'invoice_paid'] }, 200);
    const webhook = { id: first.webhooks[0] ?? '', event: 'data_updated' };
    const fresh = await rotate(mock, {}, `${webhook.id}/rotate-secret`);
    const previousExpiresAt = new Date(mock.clock.now() + 86_400_000).toISOString();
    expect(first.rotations).toEqual([{ secret: fresh, previousExpiresAt, webhook }]);
    expect(await verifying(mock, first.pushed, [asked.secret, fresh])).toEqual([true, true]);
    first.disconnect();
    await mock.clock.advance('1 day');
    await rotate(mock);
    const back = connect(mock, { ...asked, events: ['data_updated'] }, 200);
    expect(back.rotations).toEqual([{ secret: fresh, webhook }]);
    expect(await verifying(mock, back.pushed, [asked.secret, fresh])).toEqual([false, true]);
  });

  test('of a registration that belongs to no listener, no listener is notified', async () => {
    const mock = server();
    const { rotations, webhooks, disconnect } = connect(mock);
    const response = await mock.fetch(`${mock.baseUrl}/api/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'data_updated', url: 'https://app.example/hooks' }),
    });
    const { id } = (await response.json()) as { id: string };
    await rotate(mock, {}, `${id}/rotate-secret`);
    disconnect();
    await rotate(mock, {}, `${webhooks[0]}/rotate-secret`);
    expect(rotations).toEqual([]);
  });

  test('a listener with its own secret, or in another organization, keeps its secret', async () => {
    const mock = server();
    const own = connect(mock, { secret: mock.signingSecret, events: ['data_updated'] }, 200);
    const { organization } = mock.createOrganization();
    const other = connect(mock, { organization }, 200);
    const fresh = await rotate(mock, { overlapSeconds: 0 });
    expect([own.rotations, other.rotations]).toEqual([[], []]);
    expect(await verifying(mock, own.pushed, [own.secret, fresh])).toEqual([true, false]);
  });
});

test('a listener that reconnects with another secret keeps its registrations', async () => {
  const mock = server();
  const secret = `whsec_${'B'.repeat(32)}`;
  const before = connect(mock, { name: 'mine', events: ['data_updated'] });
  const after = connect(mock, { name: 'mine', events: ['data_updated'], secret }, 200);
  expect(after.webhooks).toEqual(before.webhooks);
  expect(await verifying(mock, after.pushed, [secret, before.secret])).toEqual([true, false]);
  expect(() => connect(mock, { name: 'mine', secret: 'hush' })).toThrow('secret must be whsec_');
});

test('a reset ends the connections, and a listener that reconnects is registered again', async () => {
  const mock = server();
  const first = connect(mock, { name: 'mine' });
  mock.reset();
  expect(first.ended).toEqual(['restarted']);
  expect(await registered(mock)).toEqual([]);
  connect(mock, { name: 'mine' });
  first.disconnect();
  vi.advanceTimersByTime(60_000);
  expect(await registered(mock)).toHaveLength(4);
});

test.each<[ListenOptions, string]>([
  [{ name: 'a/b' }, 'name must be 1 to 64 letters, digits, hyphens or underscores.'],
  [{ secret: 'whsec_short' }, 'secret must be whsec_ followed by 24 to 64 bytes'],
  [{ organization: 'org_none' }, 'No organization has the id "org_none".'],
])('%o is rejected and registers nothing', async (options, message) => {
  const mock = server();
  expect(() => connect(mock, options)).toThrow(message);
  expect(await registered(mock)).toEqual([]);
});
