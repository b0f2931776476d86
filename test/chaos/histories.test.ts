import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../mock-server/cli/command.ts';
import { freePort } from '../support/free-port.ts';
import { needs } from '../support/needs.ts';
import { withPostgres, withRedis } from '../support/servers.ts';
import { type ClientName, connect } from './clients.ts';
import { isLinearizable, Recorder, type Seen } from './linearizable.ts';
import { chaosSeed, seeded } from './seeded.ts';

/** `CONTENTGEN_HISTORIES=50` makes fifty times as many calls and kills. */
const factor = Number(process.env['CONTENTGEN_HISTORIES'] ?? 1);
const timeout = 60_000 * factor;
const kills = 2 * factor;
const callsBetweenKills = 250;
const workers = 6;

/** Something that can be killed. */
interface Target {
  end(): Promise<unknown>;
  start(): Promise<unknown>;
}

/** Makes calls from several workers at once, for a while before and after each kill. */
async function makeCalls(
  target: Target,
  step: (random: () => number, era: number) => Promise<void>,
) {
  console.log(`CONTENTGEN_CHAOS_SEED=${chaosSeed}`);
  const random = seeded();
  for (let era = 0; era <= kills; era++) {
    let [left, isUp] = [callsBetweenKills, true];
    const all = Array.from({ length: workers }, async () => {
      // A call in flight when the target ends loses its response.
      while (isUp && left-- > 0) await step(random, era);
    });
    if (era === kills) await Promise.all(all);
    else {
      while (left > callsBetweenKills / 4) await new Promise((resolve) => setTimeout(resolve, 1));
      await target.end();
      isUp = false;
      await Promise.all(all);
      await target.start();
    }
  }
}

type Call = (
  method: string,
  path: string,
  body?: object,
  key?: string,
) => Promise<Result | undefined>;
interface Result {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: { readonly id?: string; readonly description?: string };
}

/** A server in its own process, on a data file. */
async function startServer(): Promise<Target & { readonly call: Call }> {
  const file = join(tmpdir(), `contentgen-history-${crypto.randomUUID()}.db`);
  onTestFinished(() => {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  });
  const args = ['--data', file, '--port', `${await freePort()}`, '--log', 'none'];
  let server = await startMock(args);
  const { url, adminKey } = server.mock;
  return {
    async call(method, path, body, key) {
      const response = await fetch(url + path, {
        method,
        headers: {
          'content-type': 'application/json',
          'x-api-key': `${adminKey}`,
          ...(key && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (!response || !text || response.status >= 500) return undefined;
      const replayed = response.headers.has('idempotency-replayed');
      return { status: response.status, replayed, body: JSON.parse(text) as Result['body'] };
    },
    async end() {
      server.child.kill('SIGKILL');
      await server.ended;
    },
    async start() {
      server = await startMock(args);
    },
  };
}

const hook = { event: 'data_updated', url: 'http://127.0.0.1:9/' };

/** The description of a registration: PATCH writes it, and GET reads it. */
function register(call: Call) {
  const recorder = new Recorder<string>();
  let count = 0;
  const write = (id: string) => {
    const description = `${++count}`;
    return recorder.record(
      id,
      async () =>
        (await call('PATCH', `/api/webhooks/${id}`, { description })) && (() => [description]),
      () => [description],
    );
  };
  const read = (id: string) =>
    recorder.record(
      id,
      async () => {
        const result = await call('GET', `/api/webhooks/${id}`);
        return result && ((state) => (state === result.body.description ? [state] : []));
      },
      (state) => [state],
    );
  return { recorder, write, read };
}

type Keyed = { readonly body: string; readonly id?: string } | null;

/** Of the calls with one key, one creates something, and the others repeat its response or are rejected. */
function keyed(call: Call) {
  const recorder = new Recorder<Keyed>();
  const create = (key: string, body: string) =>
    recorder.record(
      key,
      async () =>
        meaningOf(body, await call('POST', '/api/webhooks', { ...hook, description: body }, key)),
      (state) => [state ?? { body }],
    );
  return { recorder, create };
}

function meaningOf(body: string, result: Result | undefined): Seen<Keyed> {
  if (!result) return undefined;
  const id = `${result.body.id}`;
  const { status, replayed } = result;
  if (status === 409) return (state) => [state];
  if (status === 422) return (state) => (state && state.body !== body ? [state] : []);
  if (!replayed) return (state) => (state ? [] : [{ body, id }]);
  // The id of a lost response is not known before it is replayed.
  return (state) => (state?.body === body && (state.id ?? id) === id ? [{ body, id }] : []);
}

test('no acknowledged PATCH is undone by a kill, and a key creates one thing', {
  timeout,
}, async () => {
  const server = await startServer();
  const { body } = (await server.call('POST', '/api/webhooks', hook)) as Result;
  const id = `${body.id}`;
  await server.call('PATCH', `/api/webhooks/${id}`, { description: '0' });
  const { write, read, ...registers } = register(server.call);
  const { create, ...keys } = keyed(server.call);
  await makeCalls(server, (random, era) => {
    if (random() < 0.4) return (random() < 0.4 ? write : read)(id);
    return create(`${era}-${Math.floor(random() * 20)}`, random() < 0.8 ? 'one' : 'other');
  });
  expect(registers.recorder.violations('0')).toEqual([]);
  expect(keys.recorder.violations(null)).toEqual([]);

  const forgetful = keyed((method, path, body, key) =>
    server.call(method, path, body, `${key}-${crypto.randomUUID()}`),
  );
  for (const body of ['one', 'one']) await forgetful.create('planted', body);
  expect(forgetful.recorder.violations(null)).toEqual(['planted']);

  const cache = new Map<string, Result | undefined>();
  const stale = register(async (method, path, body) => {
    if (method !== 'GET') return server.call(method, path, body);
    if (!cache.has(path)) cache.set(path, await server.call(method, path));
    return cache.get(path);
  });
  for (const step of [stale.write, stale.read, stale.write, stale.read]) await step(id);
  expect(stale.recorder.violations('0')).toEqual([id]);
});

const stores: {
  need: 'redis' | 'postgres';
  client: ClientName;
  start: () => ReturnType<typeof withRedis>;
}[] = [
  {
    need: 'redis',
    client: 'node-redis',
    start: () => withRedis(['--appendonly', 'yes', '--appendfsync', 'always']),
  },
  { need: 'postgres', client: 'pg', start: () => withPostgres() },
];

test.for(stores)(
  'a delivery has one holder at a time, over $need',
  { timeout },
  async ({ need, client, start }, { skip }) => {
    skip(!needs(need), 'not installed');
    const server = await start();
    onTestFinished(() => server.stop());
    const { dedupe } = await connect({
      client,
      url: server.url,
      leaseMs: 600_000,
      hasDefaults: false,
    });
    const isReady = () =>
      Promise.resolve(dedupe.claim('probe', 'probe')).then(
        () => true,
        () => false,
      );
    const target: Target = {
      end: () => server.end(),
      async start() {
        await server.start();
        await expect.poll(isReady).toBe(true);
      },
    };
    await expect.poll(isReady).toBe(true);

    const deliveries = (claim: typeof dedupe.claim) => {
      const recorder = new Recorder<string>();
      const handle = async (key: string, end: 'complete' | 'release' | 'nothing') => {
        const attempt = crypto.randomUUID();
        let isClaimed = false;
        const seen = async (): Promise<Seen<string>> => {
          const result = await Promise.resolve(claim(key, attempt)).catch(() => undefined);
          if (!result) return undefined;
          isClaimed = result.state === 'claimed';
          if (isClaimed) return (state) => (state === 'free' ? [attempt] : []);
          if (result.state === 'done') return (state) => (state === 'done' ? [state] : []);
          return (state) => (state === 'free' || state === 'done' ? [] : [state]);
        };
        await recorder.record(key, seen, (state) => [state === 'free' ? attempt : state]);
        if (!isClaimed || end === 'nothing') return;
        const after = (state: string) => {
          if (state !== attempt) return [];
          return [end === 'complete' ? 'done' : 'free'];
        };
        const finish = async () => {
          const settled = Promise.resolve(dedupe[end](key, attempt));
          return settled.then(
            () => after,
            () => undefined,
          );
        };
        await recorder.record(key, finish, after);
      };
      return { recorder, handle };
    };

    const { recorder, handle } = deliveries(dedupe.claim);
    await makeCalls(target, (random, era) => {
      const end = random();
      const key = `${era}-${Math.floor(random() * 20)}`;
      return handle(key, end < 0.15 ? 'complete' : end < 0.95 ? 'release' : 'nothing');
    });
    expect(recorder.violations('free')).toEqual([]);

    const careless = deliveries((key, attempt) => dedupe.claim(`${key}-${attempt}`, attempt));
    await careless.handle('planted', 'nothing');
    await careless.handle('planted', 'nothing');
    expect(careless.recorder.violations('free')).toEqual(['planted']);
  },
);

test('a history is right in any order that its times allow', () => {
  const write = (value: string, start: number, end: number) => ({
    start,
    end,
    after: () => [value],
  });
  const read = (value: string, start: number, end: number) => ({
    ...{ start, end },
    after: (state: string) => (state === value ? [state] : []),
  });
  const lost = Number.POSITIVE_INFINITY;
  expect(isLinearizable([write('1', 0, 9), read('0', 1, 2), read('1', 3, 4)], '0')).toBe(true);
  expect(isLinearizable([write('1', 0, 9), read('1', 1, 2), read('0', 3, 4)], '0')).toBe(false);
  expect(isLinearizable([write('1', 0, lost), read('0', 1, 2), read('1', 3, 4)], '0')).toBe(true);
  expect(isLinearizable([write('1', 0, 1), read('0', 2, 3)], '0')).toBe(false);
});
