import type { InstanceContext } from 'contentgen/simulate';
import { createWebhookHandler } from 'contentgen/webhooks';
import { silent } from './counter.ts';

/** Two small applications. Each name of a plant switches one mistake on. */
export const plants = {
  ledger: [
    'a balance that is read and written back',
    'an error that is answered with success',
    'no mark',
    'a mark and a charge in two transactions',
    'a swallowed error of the commit',
    'an answer before the commit',
    'marks in memory',
    'a bonus that is counted without a lock',
  ],
  mailer: [
    'mail without a key',
    'a job that is removed before its mail',
    'a lease that never ends',
    'an answer before the job is stored',
    'a failed mail that counts as sent',
    'a queue in one value',
    'a secret kept past its rotation',
  ],
} as const;
export type Application = keyof typeof plants;
export type Plant = (typeof plants)[Application][number];
export type Has = (plant: Plant) => boolean;

/** A receiver that hands the id of each result on. */
export const receiver = (
  context: InstanceContext,
  completed: (id: string) => unknown,
  secret = () => context.secret,
) =>
  createWebhookHandler({
    secret,
    logger: silent,
    on: {
      generation_completed: ({ payload }) => completed(payload.requestId ?? ''),
    },
  });

export const start = ({ client, url }: InstanceContext, prompt: string) =>
  client.content.start(
    { prompt, webhookUrl: url },
    { idempotencyKey: prompt.replaceAll(' ', '-') },
  );
