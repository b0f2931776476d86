import { test } from 'vitest';
import { createMockServer } from '../../mock-server/index.ts';

const JOBS = 10_000;

// One `usage.period_end` per job, each at a different time within the 31 days.
test('advance the clock 31 days', async ({ bench }) => {
  const mock = createMockServer({ clock: 'manual', seed: 1, retention: { lines: 100 } });
  const { organization } = mock;
  const now = mock.clock.now();
  const saved = mock.snapshot();
  const numbers = Array.from({ length: JOBS }, (_, number) => number);
  const pad = (value: number, width: number) => String(value).padStart(width, '0');
  const at = (number: number) => now + Math.floor((number * 31 * 86_400_000) / JOBS);
  const state = {
    ...saved.state,
    usage: numbers.map((number) => ({
      id: `usage_${number}`,
      organization,
      periodStart: now,
      used: 1,
      requests: 1,
    })),
    jobs: numbers.map((number) => ({
      id: `job_${pad(at(number), 16)}_${pad(number, 12)}`,
      at: at(number),
      kind: 'usage.period_end' as const,
      ref: `usage_${number}`,
    })),
  };
  await bench('10 000 jobs, with the restore', async () => {
    mock.restore({ ...saved, state });
    await mock.clock.advance('31 days');
  }).run({ iterations: 5, time: 0 });
});
