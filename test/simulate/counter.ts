import { type SimulateOptions, SimulationError } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { expect } from 'vitest';

export const silent = { debug() {}, info() {}, warn() {}, error() {} };

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

export type Counter = ReturnType<typeof counter>;

export const base = {
  app: counter,
  receive: (app: Counter) => app.webhooks,
  run: ({ app }: { app: Counter }) =>
    Promise.allSettled(['a', 'b', 'c'].map((prompt) => app.order(prompt))),
} satisfies SimulateOptions<Counter>;

/** Fails as soon as something was completed, so every seed shows its trace. */
export const failing = { ...base, check: () => expect.fail('as planned'), shrinkMs: 0 };

/** The failure that a simulation finds. */
export async function failureOf(simulation: Promise<unknown>): Promise<SimulationError> {
  const error: unknown = await simulation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SimulationError) return error;
  throw new Error('The simulation found nothing.', { cause: error });
}
