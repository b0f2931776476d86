import { spawnSync } from 'node:child_process';
import { simulate } from 'contentgen/simulate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { defineDeployment } from '../../src/deployment/index.ts';
import { base, failing, failureOf } from './counter.ts';

test('a seed gives the same run each time; SIMULATE_SEED runs only that seed', async () => {
  const found = await failureOf(simulate({ ...failing, seeds: { from: 5, count: 1 } }));
  vi.stubEnv('SIMULATE_SEED', '5');
  onTestFinished(() => void vi.unstubAllEnvs());
  const again = await failureOf(simulate({ ...failing, seeds: 100 }));
  expect(again.seed).toBe(5);
  expect(again.message).toBe(found.message);
  expect(again.traceHash).toBe(found.traceHash);
  expect(again.timeline).toBe(found.timeline);
  vi.unstubAllEnvs();
  const other = await failureOf(simulate({ ...failing, seeds: { from: 8, count: 1 } }));
  expect(other.traceHash).not.toBe(found.traceHash);
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
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', env: { ...process.env, SIMULATE_SEED: '40' } },
  );
  expect(stderr).toContain('Seed 40 fails: as planned');
  expect(stderr).toContain('00:00:00.000  app      started');
  expect(stderr).toContain('To run only this seed, set SIMULATE_SEED=40.');
  expect(status).toBe(1);
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
