import { spawnSync } from 'node:child_process';
import { simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { base, failing, failureOf, silent } from './counter.ts';

test('a correct receiver survives every seed', async () => {
  const result = await simulate({
    ...base,
    seeds: 40,
    check: async ({ disk, mock }) => {
      const effects = (await disk.open('db').get<string[]>('effects')) ?? [];
      expect(effects.sort()).toEqual(mock.generations().completed);
    },
  });
  expect(result.runs).toBe(40);
  expect(result.faults).toBeGreaterThan(40);
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

test('SIMULATE_SEED runs only one seed, the same run as before', async () => {
  const found = await failureOf(simulate({ ...failing, seeds: { from: 5, count: 1 } }));
  vi.stubEnv('SIMULATE_SEED', '5');
  onTestFinished(() => void vi.unstubAllEnvs());
  const again = await failureOf(simulate({ ...failing, seeds: 100 }));
  expect(again.seed).toBe(5);
  expect(again.message).toBe(found.message);
  expect(again.traceHash).toBe(found.traceHash);
});

test('in a plain script, a failing run prints its seed, and SIMULATE_SEED runs that seed', () => {
  const index = new URL('../../mock-server/simulate/index.ts', import.meta.url).href;
  const program = `
    const { simulate } = await import('${index}');
    await simulate({
      seeds: 1,
      app: ({ client, url }) => ({ order: () => client.content.start({ prompt: 'a', webhookUrl: url }) }),
      receive: () => () => new Response(),
      run: ({ app }) => app.order(),
      check: () => { throw new Error('as planned'); },
    });`;
  for (const seed of [1, 40]) {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { encoding: 'utf8', env: { ...process.env, SIMULATE_SEED: seed === 1 ? '' : `${seed}` } },
    );
    expect(stderr).toContain(`Seed ${seed} fails: as planned`);
    expect(stderr).toContain(`To run only this seed, set SIMULATE_SEED=${seed}.`);
    expect(status).toBe(1);
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
  expect(error.faults).toHaveLength(1);
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
  const deployment = defineDeployment({
    paths: { generateContent: '/v1/stories' },
    webhookUrlField: 'notify',
  });
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

test('in a test, the rejection shows the timeline and how to run the seed again', async () => {
  const failed = simulate({ ...failing, seeds: 1 });
  await expect(failed).rejects.toThrow('00:00:00.000  app      started');
  await expect(failed).rejects.toThrow('as planned');
  await expect(failed).rejects.toThrow('To run only this seed, set SIMULATE_SEED=1.');
});
