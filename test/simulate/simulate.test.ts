import { type SimulateOptions, SimulationError, simulate } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect, test } from 'vitest';

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

test('a receiver that is right survives every seed', async () => {
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

test('SIMULATE_SEED runs one seed alone', async () => {
  process.env['SIMULATE_SEED'] = '5';
  try {
    const error = await failureOf({ ...failing, seeds: 100 });
    expect(error.seed).toBe(5);
    expect(error.replay).toBe('SIMULATE_SEED=5 npx vitest run test/simulate/simulate.test.ts');
  } finally {
    delete process.env['SIMULATE_SEED'];
  }
});

test('an effect without a mark is found, and reduced to the one fault that it takes', async () => {
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
