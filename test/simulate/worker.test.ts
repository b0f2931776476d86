import { type InstanceContext, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { simulationOf } from './applications.ts';
import { failureOf } from './counter.ts';

const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? 15);

test.each([{}, { chaos: { crash: 0.05, stall: 0.3, unreachable: 0.4, reorder: 0.3 } }])(
  'a worker that polls once a second, with a lease of ten minutes, has done its work by the end of each run',
  async (given) => {
    const { chaos: _, ...options } = simulationOf('mailer', undefined, seeds);
    const { runs } = await simulate({ ...options, ...given });
    expect(runs).toBe(seeds);
  },
  600_000,
);

test('a run goes on while the application works, for twice settleFor at most, and says that it was cut short', async () => {
  const busy = (ms: number) =>
    failureOf(
      simulate({
        seeds: 1,
        chaos: {},
        shrinkMs: 0,
        settleFor: '20 minutes',
        app: ({ clock, disk }) => {
          const start = clock.now();
          clock.every(60_000, () => {
            if (clock.now() < start + ms) void disk.open('beats').set('last', clock.now() - start);
          });
          return () => new Response();
        },
        run: () => {},
        check: async ({ disk }) => expect.fail(`${await disk.open('beats').get('last')}`),
      }),
    );
  const short = await busy(1_800_000);
  expect(short.message).toContain('Seed 1 fails: 1740000');
  expect(short.timeline).not.toContain('raise settleFor');
  const long = await busy(Number.POSITIVE_INFINITY);
  expect(long.message).toContain('Seed 1 fails: 2400000');
  expect(long.message).toContain('raise settleFor');
});

test('polls get rarer under globals too', async () => {
  let polls = 0;
  const options = {
    seeds: 1,
    chaos: {},
    globals: true,
    app: ({ disk }: InstanceContext) => {
      setInterval(() => {
        polls += 1;
        void disk.open('jobs').keys();
      }, 1000);
      return () => new Response();
    },
    run: () => {},
  };
  await simulate(options);
  // Three runs: one to load what is loaded once, the first seed, and its comparison.
  expect(polls / 3).toBeGreaterThan(12);
  expect(polls / 3).toBeLessThan(40);
});
