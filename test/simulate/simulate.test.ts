import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  type RunContext,
  type SimulateOptions,
  SimulationError,
  simulate,
  simulationMatchers,
} from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect, test, vi } from 'vitest';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

type InstanceContext = Parameters<SimulateOptions<unknown>['app']>[0];

/** Counts each result, in a transaction with the mark that it was counted. */
function counter({ client, secret, disk, url }: InstanceContext) {
  const db = disk.open('db');
  return {
    order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
    webhooks: createWebhookHandler({
      secret,
      logger: silent,
      on: {
        generation_completed: ({ payload: { requestId } }) =>
          db.transaction(async (tx) => {
            if ((await tx.get(`done:${requestId}`)) === true) return;
            await tx.set(`done:${requestId}`, true);
            await tx.set('effects', [...((await tx.get<string[]>('effects')) ?? []), requestId]);
          }),
      },
    }),
  };
}

type Counter = ReturnType<typeof counter>;

const base = {
  reproductions: false,
  app: counter,
  receive: (app: Counter) => app.webhooks,
  run: ({ app }: { app: Counter }) =>
    Promise.allSettled(['a', 'b', 'c'].map((prompt) => app.order(prompt))),
} satisfies SimulateOptions<Counter>;

test('a correct receiver survives every seed', async () => {
  const result = await simulate({
    ...base,
    seeds: 100,
    check: async ({ disk, mock }) => {
      const effects = (await disk.open('db').get<string[]>('effects')) ?? [];
      expect(effects.sort()).toEqual(mock.generations().completed);
    },
  });
  expect(result.runs).toBe(100);
  expect(result.faults).toBeGreaterThan(100);
});

/** Fails as soon as something was completed, so every seed shows its trace. */
const failing = { ...base, check: () => expect.fail('as planned'), shrinkMs: 0 };

async function failureOf(options: SimulateOptions<Counter>): Promise<SimulationError> {
  const error = await simulate(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SimulationError) return error;
  throw new Error('The simulation found nothing.', { cause: error });
}

test('the same seed gives the same trace', async () => {
  const [first, second] = [
    await failureOf({ ...failing, seeds: { from: 7, count: 1 } }),
    await failureOf({ ...failing, seeds: { from: 7, count: 1 } }),
  ];
  expect(second.traceHash).toBe(first.traceHash);
  expect(second.timeline).toBe(first.timeline);
  const other = await failureOf({ ...failing, seeds: { from: 8, count: 1 } });
  expect(other.traceHash).not.toBe(first.traceHash);
});

test('SIMULATE_REPLAY runs only the faults in a reproduction file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contentgen-simulate-'));
  const crashed = {
    ...base,
    reproductions: folder,
    chaos: { crash: 0.1, loseAnswer: 0.3, duplicate: 0.3, delay: '1 minute' },
    check: ({ disk }: RunContext<Counter>) => disk.open('db').get('effects'),
    always: async ({ disk }: RunContext<Counter>) => {
      if (((await disk.open('db').get<string[]>('effects')) ?? []).length > 1) expect.fail('two');
    },
  } as const;
  try {
    const found = await failureOf(crashed);
    const test = 'npx vitest run test/simulate/simulate.test.ts';
    expect(found.message).toContain(`Or only these faults: SIMULATE_REPLAY=${found.file} ${test}`);
    vi.stubEnv('SIMULATE_REPLAY', `${found.file}`);
    const again = await failureOf({ ...crashed, chaos: crashed.chaos });
    expect(again.timeline).toBe(found.timeline);
    expect(again.traceHash).toBe(found.traceHash);
    expect(again.reproduction).toEqual(found.reproduction);
    const mended = await simulate({ ...crashed, always: () => {} });
    expect(mended.runs).toBe(1);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});

test.each([
  ['none.json', 'Failed to read none.json'],
  ['package.json', 'package.json is not a reproduction'],
])('SIMULATE_REPLAY=%s says what is wrong', async (file, message) => {
  vi.stubEnv('SIMULATE_REPLAY', file);
  await expect(simulate(base)).rejects.toThrow(message);
  vi.unstubAllEnvs();
});

test('SIMULATE_SEED runs only one seed', async () => {
  process.env['SIMULATE_SEED'] = '5';
  try {
    const error = await failureOf({ ...failing, seeds: 100 });
    expect(error.seed).toBe(5);
    expect(error.replay).toBe('SIMULATE_SEED=5 npx vitest run test/simulate/simulate.test.ts');
  } finally {
    delete process.env['SIMULATE_SEED'];
  }
});

test('an effect without a mark is found, and reduced to the one fault that it needs', async () => {
  const error = await failureOf({
    ...base,
    seeds: 1000,
    app: ({ client, secret, disk, url }) => {
      const db = disk.open('db');
      return {
        order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
        webhooks: createWebhookHandler({
          secret,
          logger: silent,
          dedupeKey: () => `${Math.random()}`,
          on: {
            generation_completed: async ({ payload }) => {
              const requestId = String(payload.requestId);
              const times = (await db.get<number>(requestId)) ?? 0;
              await db.set(requestId, times + 1);
            },
          },
        }),
      };
    },
    check: async ({ disk }) => {
      const db = disk.open('db');
      for (const key of await db.keys()) expect(await db.get(key)).toBe(1);
    },
  });
  expect(error.reproduction.faults).toHaveLength(1);
  expect(error.message).toContain('SIMULATE_SEED=');
});

test('a key that is revoked, a secret that is rotated and a quota that is used up are faults too', async () => {
  const { coverage } = await simulate({
    ...base,
    seeds: 50,
    chaos: { keyRevoked: 0.5, secretRotated: 0.5, quotaReached: 0.5, clockSkew: '4 minutes' },
    run: async ({ app, clock }) => {
      for (const prompt of ['a', 'b', 'c', 'd']) {
        await clock.sleep(20_000);
        await app.order(prompt).catch(() => {});
      }
    },
    effects: async ({ disk }) => (await disk.open('db').get<string[]>('effects')) ?? [],
  });
  expect(Object.keys(coverage).sort()).toEqual([
    'keyRevoked × account',
    'quotaReached × account',
    'secretRotated × account',
  ]);
});

test('what an application uses from outside the simulation is found and named', async () => {
  const error = await failureOf({
    ...base,
    seeds: 10,
    run: async ({ app, disk }) => {
      await disk.open('db').set('lottery', Math.random());
      await app.order('a');
    },
  });
  expect(error.cause).toMatchObject({ code: 'not_deterministic' });
  expect(error.message).toMatch(
    /differ at step 2:\n.*db\.set lottery 0\.\d+\n.*db\.set lottery 0\.\d+/,
  );
  expect(error.message).toMatch(/Math\.random \(.*simulate\.test\.ts:\d+\)/);
});

test('a wait that never ends is found', async () => {
  const error = await failureOf({
    ...base,
    seeds: 1,
    patience: 20,
    run: () => new Promise(() => {}),
  });
  expect(error.message).toContain('`run` is waiting for something that never happens');
});

test('a rejection that nobody handles, and a key in the console, are found', async () => {
  const rejected = await failureOf({
    ...base,
    seeds: 1,
    run: () => void Promise.reject(new Error('forgotten')),
  });
  expect(rejected.cause).toMatchObject({ invariant: 'rejections' });
  const leaked = await failureOf({
    ...base,
    seeds: 2,
    run: ({ secret }) => console.log(`The secret is ${secret}.`),
  });
  expect(leaked.cause).toMatchObject({ invariant: 'secrets' });
});

test('a secret or a key that was made in the middle of a run is found in the console too', async () => {
  const rotated = await failureOf({
    ...base,
    seeds: 1,
    run: async ({ client, mock }) => {
      const before = mock.signingSecret;
      const { secret } = await client.webhooks.rotateSigningSecret();
      expect(secret).not.toBe(before);
      console.info('rotated', { secret });
    },
  });
  expect(rotated.cause).toMatchObject({ invariant: 'secrets' });
  expect(rotated.timeline).not.toContain('whsec_');
  const created = await failureOf({
    ...base,
    seeds: 1,
    chaos: {},
    run: async ({ client }) =>
      console.warn((await client.apiKeys.create({ name: 'new', role: 'member' })).key),
  });
  expect(created.cause).toMatchObject({ invariant: 'secrets' });
  expect(created.timeline).not.toContain('cg_test_');
});

test('a key that is created is the same in each run of a seed, even when its response was lost', async () => {
  const { coverage, outside } = await simulate({
    ...base,
    seeds: 60,
    chaos: { loseAnswer: 0.4 },
    run: async ({ client, disk }) => {
      const { key } = await client.apiKeys.create({ name: 'new', role: 'member' });
      await disk.open('db').set('key', key);
    },
  });
  expect(coverage['loseAnswer × POST']).toBeGreaterThan(10);
  expect(outside).toEqual([]);
});

test('real input and output is named even if it changes nothing', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { outside } = await simulate({
    ...base,
    seeds: 2,
    run: async ({ app }) => {
      await app.order('a');
      const socket = connect(port, '127.0.0.1').resume();
      await once(socket, 'close');
      setTimeout(() => {}, 1);
      await readFile('package.json');
    },
  });
  server.close();
  expect(outside.map((line) => line.replace(/ \(.*/, ''))).toEqual(
    expect.arrayContaining(['a socket', 'setTimeout', 'a file']),
  );
  expect(outside.find((line) => line.startsWith('setTimeout'))).toMatch(/simulate\.test\.ts:\d+/);
  expect((await simulate({ ...base, seeds: 2 })).outside).toEqual([]);
});

test('an uncaught failure is printed without every step of its run', async () => {
  const error = await failureOf({ ...failing, seeds: 1 });
  expect(inspect(error).split('\n').length).toBeLessThan(error.message.split('\n').length + 40);
  expect(error.reproduction.trace.length).toBeGreaterThan(10);
});

test('wrong options are named', async () => {
  await expect(simulate({ ...base, chaos: { crashes: 1 } as never })).rejects.toThrow(
    'There is no chaos.crashes.',
  );
  await expect(simulate({ ...base, chaos: { crash: 2 } })).rejects.toThrow('chaos.crash');
  await expect(simulate({ ...base, seeds: 0 })).rejects.toThrow('seeds');
});

test('globals: true puts Date, timers and randomness under the simulation', async () => {
  const times: number[] = [];
  const options = {
    ...base,
    seeds: { from: 3, count: 1 },
    globals: true,
    shrinkMs: 0,
    run: async ({
      disk,
    }: {
      disk: { open(name: string): { set(key: string, value: unknown): Promise<void> } };
    }) => {
      const db = disk.open('db');
      await new Promise((resolve) => setTimeout(resolve, 90_000));
      await db.set('seen', [
        Math.random(),
        crypto.randomUUID(),
        Date.now(),
        new Date().toISOString(),
      ]);
      times.push(Date.now());
    },
    check: () => expect.fail('as planned'),
  };
  const [first, second] = [await failureOf(options), await failureOf(options)];
  expect(first.cause).toMatchObject({ name: 'AssertionError' });
  expect(second.traceHash).toBe(first.traceHash);
  expect(new Set(times)).toEqual(new Set([Date.parse('2026-01-01T00:01:30Z')]));
  expect(Math.random()).not.toBe(Math.random());
  expect(Date.now()).toBeGreaterThan(Date.parse('2026-06-01'));
});

expect.extend(simulationMatchers);

test('the matchers show the timeline', async () => {
  await expect({ ...base, seeds: 5 }).toSurviveSimulation();
  const failed = expect({ ...failing, seeds: 1 }).toSurviveSimulation();
  const line = 'SIMULATE_SEED=1 npx vitest run test/simulate/simulate.test.ts';
  await expect(failed).rejects.toThrow(line);
  const { pass, message } = await simulationMatchers.toSurviveSimulation({ ...failing, seeds: 1 });
  expect(pass).toBe(false);
  expect(message()).toContain('00:00:00.000  app      started');
  expect(message()).toContain('as planned');
});
