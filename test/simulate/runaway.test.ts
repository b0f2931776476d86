import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type InstanceContext, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { failureOf } from './counter.ts';

const options = {
  seeds: 1,
  chaos: {},
  shrinkMs: 0,
  receive: () => () => new Response(),
  run: () => {},
};

test('a hot loop is named within 20 seconds', async () => {
  const error = await failureOf(
    simulate({
      ...options,
      app: ({ disk }: InstanceContext) => {
        const jobs = disk.open('jobs');
        const work = async () => {
          for (;;) await jobs.keys();
        };
        void work();
        return {};
      },
    }),
  );
  expect(error.message).toContain('The application is in a hot loop');
  expect(error.message).toContain('jobs.keys');
}, 60_000);

test.each([true, false])(
  'timers that pile up are named within 20 seconds, with globals: %s',
  async (globals) => {
    const error = await failureOf(
      simulate({
        ...options,
        globals,
        app: ({ clock }: InstanceContext) => {
          const poll = () => {
            if (globals) setInterval(poll, 1000);
            else clock.every(1000, poll);
          };
          poll();
          return {};
        },
      }),
    );
    expect(error.message).toContain('The application leaks timers');
  },
  20_000,
);

test('time and randomness are under the simulation with globals: true, also imported by name, and real afterwards', async () => {
  const seen: unknown[] = [];
  await simulate({
    ...options,
    globals: true,
    app: () => ({}),
    run: async ({ disk }) => {
      const before = performance.now();
      await pause(60_000);
      await new Promise((resolve) => setTimeout(resolve, 30_000));
      const times = [performance.now() - before, Date.now(), new Date().toISOString()];
      const values = [...times, randomUUID(), crypto.randomUUID(), Math.random()];
      await disk.open('db').set('seen', values);
      seen.push(values);
    },
  });
  expect(seen[1]).toEqual(seen[0]);
  const now = '2026-01-01T00:01:30.000Z';
  expect(seen[0]).toEqual(expect.arrayContaining([90_000, Date.parse(now), now]));
  expect(randomUUID()).not.toBe(randomUUID());
  expect(Math.random()).not.toBe(Math.random());
  expect(Date.now()).toBeGreaterThan(Date.parse('2026-06-01'));
});
