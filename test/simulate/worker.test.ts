import { type InstanceContext, simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect, test } from 'vitest';
import { failureOf, silent } from './counter.ts';

const LEASE_MS = 600_000;

interface Job {
  readonly until: number;
  readonly done: boolean;
}

/** Stores each result as a job, and polls for jobs once a second. A job whose lease is over is taken again. */
function polling({ client, secret, disk, url, clock, mock, external }: InstanceContext) {
  const jobs = disk.open('jobs');
  const now = () => mock.clock.now();
  let isWorking = false;

  async function work(): Promise<void> {
    for (const id of await jobs.keys()) {
      const isMine = await jobs.atomic(`lease ${id}`, (values) => {
        const job = values.get<Job>(id);
        if (!job || job.done || job.until > now()) return false;
        values.set(id, { ...job, until: now() + LEASE_MS });
        return true;
      });
      if (!isMine) continue;
      await external('mail').send({ id }, { key: id });
      await jobs.set(id, { until: 0, done: true });
    }
  }

  clock.every(1000, () => {
    if (isWorking) return;
    isWorking = true;
    void work()
      .catch(() => {})
      .finally(() => {
        isWorking = false;
      });
  });
  return {
    order: (prompt: string) => client.content.start({ prompt, webhookUrl: url }),
    webhooks: createWebhookHandler({
      secret,
      logger: silent,
      on: {
        generation_completed: ({ payload }) =>
          jobs.atomic(`add ${payload.requestId}`, (values) => {
            const id = `${payload.requestId}`;
            if (!values.get(id)) values.set(id, { until: 0, done: false });
          }),
      },
    }),
  };
}

const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? 15);

test.each([undefined, { crash: 0.05, stall: 0.3, unreachable: 0.4, reorder: 0.3 }])(
  'a worker that polls once a second, with a lease of ten minutes, has done its work by the end of each run',
  async (chaos) => {
    const { runs } = await simulate({
      seeds,
      ...(chaos && { chaos }),
      app: polling,
      replicas: 2,
      receive: ({ webhooks }) => webhooks,
      run: ({ app }) => Promise.allSettled(['a', 'b', 'c'].map(app.order)),
      effects: ({ external }) =>
        external('mail')
          .received<{ id: string }>()
          .map(({ id }) => id),
    });
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
