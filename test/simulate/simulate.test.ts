import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunContext, simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect, test, vi } from 'vitest';
import { base, type Counter, failing, failureOf, silent } from './counter.ts';

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

test('the same seed gives the same trace', async () => {
  const [first, second] = [
    await failureOf(simulate({ ...failing, seeds: { from: 7, count: 1 } })),
    await failureOf(simulate({ ...failing, seeds: { from: 7, count: 1 } })),
  ];
  expect(second.traceHash).toBe(first.traceHash);
  expect(second.timeline).toBe(first.timeline);
  const other = await failureOf(simulate({ ...failing, seeds: { from: 8, count: 1 } }));
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
    const found = await failureOf(simulate(crashed));
    const test = 'npx vitest run test/simulate/simulate.test.ts';
    expect(found.message).toContain(`Or only these faults: SIMULATE_REPLAY=${found.file} ${test}`);
    vi.stubEnv('SIMULATE_REPLAY', `${found.file}`);
    const again = await failureOf(simulate({ ...crashed, chaos: crashed.chaos }));
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
    const error = await failureOf(simulate({ ...failing, seeds: 100 }));
    expect(error.seed).toBe(5);
    expect(error.replay).toBe('SIMULATE_SEED=5 npx vitest run test/simulate/simulate.test.ts');
  } finally {
    delete process.env['SIMULATE_SEED'];
  }
});

test('an effect without a mark is found, and reduced to the one fault that it needs', async () => {
  const error = await failureOf(
    simulate({
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
    }),
  );
  expect(error.reproduction.faults).toHaveLength(1);
  expect(error.message).toContain('SIMULATE_SEED=');
});

test('a key that is revoked and a quota that is used up are faults too', async () => {
  const { coverage } = await simulate({
    ...base,
    seeds: 50,
    chaos: { keyRevoked: 0.5, quotaReached: 0.5, clockSkew: '4 minutes' },
    run: async ({ app, clock }) => {
      for (const prompt of ['a', 'b', 'c', 'd']) {
        await clock.sleep(20_000);
        await app.order(prompt).catch(() => {});
      }
    },
    effects: async ({ disk }) => (await disk.open('db').get<string[]>('effects')) ?? [],
  });
  expect(Object.keys(coverage).sort()).toEqual(['keyRevoked × account', 'quotaReached × account']);
});

test('with a deployment, the server and the client of the context speak as it does', async () => {
  const sent: string[] = [];
  const deployment = {
    paths: { generateContent: '/v1/stories' },
    webhookUrlField: 'notify',
  } as const;
  const { runs } = await simulate({
    ...base,
    seeds: 20,
    deployment,
    run: async ({ app }) => {
      await Promise.allSettled(['a', 'b'].map((prompt) => app.order(prompt)));
    },
    effects: async ({ disk }) => (await disk.open('db').get<string[]>('effects')) ?? [],
    check: ({ mock }) => {
      const starts = mock.requests().filter(({ operation }) => operation === 'generateContent');
      for (const { path } of starts) sent.push(path);
    },
  });
  expect(runs).toBe(20);
  expect(sent.some((path) => path.endsWith('/v1/stories'))).toBe(true);
  expect(sent.some((path) => path.endsWith('/content/generate'))).toBe(false);
});

test('wrong options are named', async () => {
  await expect(simulate({ ...base, chaos: { crashes: 1 } as never })).rejects.toThrow(
    "unknown chaos crashes. Did you mean 'crash'?",
  );
  await expect(simulate({ ...base, chaos: { crash: 2 } })).rejects.toThrow('chaos.crash');
  await expect(simulate({ ...base, seeds: 0 })).rejects.toThrow('seeds');
});

test('in a test, the rejection shows the timeline and the command that replays it', async () => {
  const failed = simulate({ ...failing, seeds: 1 });
  await expect(failed).rejects.toThrow('00:00:00.000  app      started');
  await expect(failed).rejects.toThrow('as planned');
  await expect(failed).rejects.toThrow(
    'SIMULATE_SEED=1 npx vitest run test/simulate/simulate.test.ts',
  );
});
