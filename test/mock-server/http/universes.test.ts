import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  connectMock,
  type Universe,
} from '../../../mock-server/control-api/client/connect-mock.ts';
import { createMockServer } from '../../../mock-server/create-mock-server.ts';
import { type ServeOptions, serve } from '../../../mock-server/http/serve.ts';
import { type ApiError, ContentGen } from '../../../src/index.ts';

const DAY = 86_400_000;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function open(options: ServeOptions = {}, baseUrl?: string) {
  const mock = createMockServer({
    clock: 'manual',
    seed: 1,
    quota: 500,
    ...(baseUrl !== undefined && { baseUrl }),
  });
  const served = await serve(mock, { port: 0, ...options });
  cleanups.push(
    () => mock.close(),
    () => served.close({ graceMs: 100 }),
  );
  return { mock, served, remote: connectMock(served.url) };
}

const clientOf = ({ url, adminKey }: Pick<Universe, 'url' | 'adminKey'>) =>
  new ContentGen({ baseUrl: url, apiKey: adminKey, maxRetries: 0 });

describe('a universe', () => {
  test('has its own address, keys, records, faults, clock and logs', async () => {
    const { mock, remote } = await open();
    const [a, b] = await Promise.all([
      remote.createUniverse({ clock: 'manual', seed: 1 }),
      remote.createUniverse({ clock: 'manual', seed: 2 }),
    ]);
    expect(a.url).not.toBe(b.url);
    const before = await b.clock.now();
    await a.faults.add({ operation: 'getUsage', effect: { status: 503 } });
    await a.clock.advance('31 days');
    await expect(clientOf(a).usage.get()).rejects.toMatchObject({ status: 503 });
    await clientOf(b).content.generate({ prompt: 'in b' });
    expect((await clientOf(b).usage.get()).requests).toBe(1);
    expect(await b.clock.now()).toBe(before);
    expect(await a.clock.now()).toBeGreaterThanOrEqual(before + 30 * DAY);
    expect((await a.requests()).map(({ operation }) => operation)).toEqual(['getUsage']);
    expect((await b.requests()).map(({ path }) => path)).toEqual([
      '/api/ai/content/generate',
      '/api/usage',
    ]);
    expect(mock.requests()).toEqual([]);
    await expect(clientOf({ ...a, adminKey: b.adminKey }).usage.get()).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
  });

  test.each(['https://mock.example', 'https://mock.example/v2'])(
    'of a server with the public address %s has an address below it',
    async (baseUrl) => {
      const { served } = await open({}, baseUrl);
      const universes = `${served.url}/_control/universes`;
      const { id, url } = await (await fetch(universes, { method: 'POST' })).json();
      expect(url).toBe(`https://mock.example/u/${id}`);
      expect((await fetch(`${served.url}/u/${id}/health`)).status).toBe(200);
      expect(await connectMock(served.url).createUniverse()).toMatchObject({
        url: expect.stringContaining(`${served.url}/u/`),
      });
    },
  );

  test('inherits the server’s options, except those it is given', async () => {
    const { remote } = await open();
    const plain = await remote.createUniverse();
    const faults = [{ operation: 'getUsage', times: 1, effect: { status: 500 } }] as const;
    const own = await remote.createUniverse({ quota: 7, faults });
    expect((await clientOf(plain).usage.get()).quota).toBe(500);
    await expect(clientOf(own).usage.get()).rejects.toMatchObject({ status: 500 });
    expect((await clientOf(own).usage.get()).quota).toBe(7);
  });

  test('has the same keys and ids for the same seed and start', async () => {
    const { remote } = await open();
    const run = async () => {
      const universe = await remote.createUniverse({
        clock: 'manual',
        seed: 3,
        start: '2026-01-01',
      });
      const { requestId } = await clientOf(universe).content.generate({ prompt: 'p' });
      return [universe.adminKey, universe.signingSecret, requestId];
    };
    expect(await run()).toEqual(await run());
  });

  test('can start with the examples of the contract, or with its own records', async () => {
    const { remote } = await open();
    const examples = await remote.createUniverse({ examples: true });
    expect((await examples.search('generations')).total).toBeGreaterThan(0);
    const seeded = await remote.createUniverse({
      seedData: { generations: [{ prompt: 'An old one', result: 'Old', createdAt: '3 days ago' }] },
    });
    expect(await seeded.search('generations')).toMatchObject({
      data: [{ prompt: 'An old one' }],
      total: 1,
    });
    await expect(
      remote.createUniverse({ seedData: { generations: [{ prompt: '', result: 'x' }] } }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining('seedData.generations[0].prompt must be'),
    });
  });

  test('returns its current secret after a rotation', async () => {
    const { remote } = await open();
    const universe = await remote.createUniverse();
    const { secret } = await clientOf(universe).webhooks.rotateSigningSecret();
    expect(universe.signingSecret).not.toBe(secret);
    expect(await universe.access()).toMatchObject({ signingSecret: secret });
  });

  test('starts its manual clock now, so that receivers accept its signatures', async () => {
    const { remote } = await open();
    const before = Date.now();
    const { clock } = await remote.createUniverse({ clock: 'manual' });
    expect(await clock.now()).toBeGreaterThanOrEqual(before);
  });

  test('issues tokens that only it accepts', async () => {
    const { remote, served } = await open();
    const [a, b] = await Promise.all([remote.createUniverse(), remote.createUniverse()]);
    const accessToken = await a.issueToken({ role: 'admin' });
    const withToken = (baseUrl: string) => new ContentGen({ baseUrl, accessToken, maxRetries: 0 });
    expect((await withToken(a.url).usage.get()).quota).toBe(500);
    for (const url of [b.url, served.url]) {
      await expect(withToken(url).usage.get()).rejects.toMatchObject({ code: 'invalid_token' });
    }
  });

  test('both prefixes, streams and pages work under its address', async () => {
    const { remote } = await open();
    const { url, adminKey } = await remote.createUniverse({ processingTime: 0 });
    const client = new ContentGen({ baseUrl: `${url}/v2`, apiKey: adminKey });
    let text = '';
    for await (const delta of client.content.stream({ prompt: 'p' })) text += delta;
    expect(text.length).toBeGreaterThan(10);
    const page = await fetch(url);
    expect([page.status, page.url]).toEqual([200, `${url}/`]);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const reference = await fetch(`${url}/reference`);
    expect(reference.status).toBe(200);
  });

  test('200 at the same time, each with a fault and its own month, do not disturb each other', async () => {
    const { remote } = await open();
    const numbers = Array.from({ length: 200 }, (_, number) => number);
    const universes = await Promise.all(
      numbers.map((number) =>
        remote.createUniverse({ clock: 'manual', start: '2026-01-01', seed: number }),
      ),
    );
    /** Every universe takes a step before any of them takes the next. */
    const inAll = <T>(step: (universe: Universe, number: number) => Promise<T>) =>
      Promise.all(universes.map(step));
    const days = (number: number) => 31 + (number % 300);
    await inAll(({ faults }, number) =>
      faults.add({ operation: 'getUsage', times: 1, effect: { status: 500 + (number % 4) } }),
    );
    await inAll((universe, number) => clientOf(universe).content.generate({ prompt: `${number}` }));
    const failed = await inAll((universe) => clientOf(universe).usage.get().safe());
    const usage = await inAll((universe) => clientOf(universe).usage.get());
    await inAll(({ clock }, number) => clock.advance(`${days(number)} days`));
    const times = await inAll(({ clock }) => clock.now());
    const later = await inAll((universe) => clientOf(universe).usage.get());
    const logged = await inAll((universe) => universe.requests());
    expect(failed.map((result) => !result.ok && (result.error as ApiError).status)).toEqual(
      numbers.map((number) => 500 + (number % 4)),
    );
    expect(new Set(usage.map(({ requests }) => requests))).toEqual(new Set([1]));
    expect(times).toEqual(numbers.map((number) => Date.UTC(2026, 0, 1) + days(number) * DAY));
    expect(new Set(later.map(({ requests }) => requests))).toEqual(new Set([0]));
    expect(new Set(logged.map(({ length }) => length))).toEqual(new Set([4]));
  });

  test('ends with close(); its address is then unknown, and a second close does nothing', async () => {
    const { remote } = await open();
    const universe = await remote.createUniverse();
    await universe.close();
    await universe.close();
    const response = await fetch(`${universe.url}/api/usage`);
    expect([response.status, (await response.json()).code]).toEqual([404, 'not_found']);
    await expect(universe.settle()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('can itself create universes, which are its siblings', async () => {
    const { remote } = await open();
    const first = await remote.createUniverse();
    const second = await first.createUniverse();
    await first.close();
    expect((await clientOf(second).usage.get()).quota).toBe(500);
  });

  test('survives a reset of the server and of its siblings', async () => {
    const { remote } = await open();
    const [a, b] = await Promise.all([remote.createUniverse(), remote.createUniverse()]);
    await clientOf(a).content.generate({ prompt: '[[delay 0ms]] p' });
    await remote.reset();
    await b.reset();
    expect((await clientOf(a).usage.get()).requests).toBe(1);
  });
});

describe('limits', () => {
  test('an idle universe is closed, and one in use stays', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { remote, served } = await open({ universes: { idleMs: 60_000 } });
    const [idle, used] = await Promise.all([remote.createUniverse(), remote.createUniverse()]);
    vi.advanceTimersByTime(50_000);
    await used.clock.now();
    vi.advanceTimersByTime(30_000);
    const response = await fetch(`${served.url}/_control/universes`);
    expect(await response.json()).toMatchObject({ data: [{ id: used.id }] });
    await expect(idle.clock.now()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a universe with a listener stays open, and is idle once it has none', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    const { remote, served } = await open({ universes: { idleMs: 60_000 } });
    const universe = await remote.createUniverse();
    const gone = new AbortController();
    const stream = await fetch(`${universe.url}/_control/events/stream`, { signal: gone.signal });
    vi.advanceTimersByTime(300_000);
    const universes = async () => {
      const response = await fetch(`${served.url}/_control/universes`);
      return ((await response.json()) as { data: unknown[] }).data.length;
    };
    expect(await universes()).toBe(1);
    gone.abort();
    await expect(stream.text()).rejects.toThrow();
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(300_000);
      expect(await universes()).toBe(0);
    });
  });

  test('beyond the maximum, the server rejects new ones until one is closed', async () => {
    const { remote } = await open({ universes: { max: 2 } });
    const first = await remote.createUniverse();
    await remote.createUniverse();
    await expect(remote.createUniverse()).rejects.toMatchObject({
      status: 503,
      code: 'unavailable',
    });
    await first.close();
    await expect(remote.createUniverse()).resolves.toHaveProperty('url');
  });

  test.each([{ seed: -1 }, { clock: 'fast' }, { start: 'soon', clock: 'manual' }, { speed: 2 }])(
    'the options %j are rejected',
    async (options) => {
      const { remote } = await open();
      await expect(remote.createUniverse(options as never)).rejects.toMatchObject({
        code: 'validation_failed',
      });
    },
  );
});

test('in one process, a universe needs no socket', async () => {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const universe = mock.createUniverse({ clock: 'manual', seed: 2, quota: 3 });
  mock.faults.add({ operation: '*', effect: { drop: true } });
  const { baseUrl, adminKey: apiKey, fetch } = universe;
  expect(baseUrl).toBe(`${mock.baseUrl}/u/1`);
  expect((await new ContentGen({ baseUrl, apiKey, fetch }).usage.get()).quota).toBe(3);
  await universe.close();
  await mock.close();
});
