import { type InstanceContext, type SimulateOptions, simulate } from 'contentgen/simulate';
import { expect, test } from 'vitest';
import { receiver, start } from './application-parts.ts';
import { base, failureOf } from './counter.ts';

/** Mails each result from the handler, so a rejected `send` is repeated by the next delivery. */
const mailer =
  (keyOf: (requestId: string) => string | undefined) => (context: InstanceContext) => ({
    order: (prompt: string) => start(context, prompt),
    webhooks: receiver(context, (requestId) =>
      context.external('mail').send({ requestId }, { key: keyOf(requestId) }),
    ),
  });

const options = (keyOf: (requestId: string) => string | undefined) =>
  ({
    ...base,
    chaos: { loseAnswer: 0.2 },
    app: mailer(keyOf),
    receive: (app) => app.webhooks,
    run: ({ app }) => Promise.allSettled(['a', 'b'].map((prompt) => app.order(prompt))),
    effects: ({ external }) =>
      external('mail')
        .received<{ requestId: string }>()
        .map(({ requestId }) => requestId),
  }) satisfies SimulateOptions<ReturnType<ReturnType<typeof mailer>>>;

test('an application that mails again after a lost answer is found', async () => {
  const error = await failureOf(simulate({ ...options(() => undefined), seeds: 50 }));
  expect(error.message).toContain('had its effect 2 times');
  expect(error.faults).toEqual(['loseAnswer × mail.send']);
});

test('with a key, every fault and every crash leaves one mail per result', async () => {
  const { coverage } = await simulate({
    ...options((requestId) => requestId),
    seeds: 40,
    chaos: { loseAnswer: 0.2, duplicate: 0.2, unreachable: 0.1, stall: 0.1, crash: 0.05 },
  });
  for (const fault of ['loseAnswer', 'duplicate', 'unreachable', 'stall', 'crash after'])
    expect(coverage).toHaveProperty([`${fault} × mail.send`]);
});
