import {
  type InstanceContext,
  type SimulateOptions,
  simulate,
  simulatedPostgres,
} from 'contentgen/simulate';
import { createWebhookHandler, type WebhookHandlerOptions } from 'contentgen/webhooks';
import { postgresDedupe } from 'contentgen/webhooks/postgres';
import { expect, test } from 'vitest';
import { silent } from './counter.ts';

/** Seeds for each store. */
const seeds = Number(process.env['CONTENTGEN_SIMULATIONS'] ?? 200);

const chaos = {
  loseAnswer: 0.1,
  duplicate: 0.2,
  reorder: 0.2,
  drop: 0.05,
  unavailable: 0.05,
  unreachable: 0.02,
  stall: 0.01,
  rateLimited: 0.02,
  modelFails: 0.02,
  delay: '2 minutes',
} as const;

type Dedupe = (context: InstanceContext) => WebhookHandlerOptions['dedupe'];

const stores: Record<string, Dedupe> = {
  memory: () => undefined,
  PostgreSQL: ({ disk, mock }) =>
    postgresDedupe(simulatedPostgres(disk.open('db'), { now: mock.clock.now })),
};

function application(context: InstanceContext, dedupe: WebhookHandlerOptions['dedupe']) {
  const { client, secret, disk, random, url, mock } = context;
  const db = disk.open('db');
  const order = (number: number) =>
    client.content.start({ prompt: `story ${number}`, webhookUrl: url });
  const effect = (requestId = '') => `effect/${requestId}/${random.uuid()}`;
  const receiver = (on: NonNullable<WebhookHandlerOptions['on']>) =>
    createWebhookHandler({ secret, logger: silent, on, ...(dedupe && { dedupe }) });
  return {
    order,
    /** An effect that only the store keeps from happening twice. */
    plain: receiver({
      generation_completed: ({ payload }) => db.set(effect(payload.requestId), true),
    }),
    /** Effect and mark in one transaction. */
    committing: receiver({
      generation_completed: ({ payload }, { commitWith }) =>
        db.transaction(async (tx) => {
          await tx.set(effect(payload.requestId), true);
          await commitWith(simulatedPostgres(tx, { now: mock.clock.now }));
        }),
    }),
    /** An effect that can happen again without harm. */
    idempotent: receiver({
      generation_completed: ({ payload }) => db.set(`effect/${payload.requestId}/once`, true),
    }),
  };
}

type App = ReturnType<typeof application>;

function options(dedupe: Dedupe): Omit<SimulateOptions<App>, 'receive'> {
  return {
    seeds,
    chaos,
    app: (context) => application(context, dedupe(context)),
    run: ({ app }) => Promise.allSettled([1, 2, 3, 4, 5].map((number) => app.order(number))),
    async effects({ disk }) {
      const keys = await disk.open('db').keys('effect/');
      return keys.map((key) => key.split('/')[1] ?? '');
    },
  };
}

test.each(Object.entries(stores))(
  '%s: one effect for each result',
  async (name, dedupe) => {
    const replicas = name === 'memory' ? 1 : 3;
    const result = await simulate({
      ...options(dedupe),
      replicas,
      receive: ({ plain }) => plain,
    });
    expect(result.runs).toBe(seeds);
  },
  600_000,
);

test.each(Object.entries(stores))(
  '%s: no result is lost when instances crash or stall',
  async (_, dedupe) => {
    const result = await simulate({
      ...options(dedupe),
      seeds: Math.ceil(seeds / 10),
      chaos: { ...chaos, crash: 0.03, pause: 0.02, clockSkew: '2 minutes' },
      receive: ({ idempotent }) => idempotent,
    });
    expect(result.runs).toBe(Math.ceil(seeds / 10));
  },
  600_000,
);

test('commitWith: one effect for each result, even when instances crash or stall', async () => {
  const result = await simulate({
    ...options(stores['PostgreSQL'] as Dedupe),
    replicas: 2,
    chaos: { ...chaos, crash: 0.03, pause: 0.02, clockSkew: '2 minutes' },
    receive: ({ committing }) => committing,
  });
  expect(result.runs).toBe(seeds);
}, 600_000);
