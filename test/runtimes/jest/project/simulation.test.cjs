const { simulate } = require('contentgen/simulate');
const { createWebhookHandler } = require('contentgen/webhooks');

jest.setTimeout(60_000);

/** Counts each result, with or without a memory of what was counted. */
function counter(remembers) {
  return ({ client, secret, disk, url, random }) => {
    const effects = disk.open('effects');
    const effect = (id) => effects.set(remembers ? id : `${id}/${random.uuid()}`, true);
    const on = { generation_completed: ({ payload }) => effect(payload.requestId) };
    const dedupeKey = remembers ? undefined : () => random.uuid();
    return {
      order: (prompt) => client.content.start({ prompt, webhookUrl: url }),
      webhooks: createWebhookHandler({ secret, on, ...(dedupeKey && { dedupeKey }) }),
    };
  };
}

const options = (remembers) => ({
  seeds: 50,
  app: counter(remembers),
  receive: (app) => app.webhooks,
  run: ({ app }) => Promise.allSettled(['a', 'b', 'c'].map((prompt) => app.order(prompt))),
  effects: async ({ disk }) => (await disk.open('effects').keys()).map((key) => key.split('/')[0]),
});

test('a correct receiver survives', async () => {
  await expect(simulate(options(true))).resolves.toMatchObject({ runs: 50 });
});

test('one that handles a repeated delivery twice is found, and the seed is named', async () => {
  const error = await simulate(options(false)).catch((reason) => reason);
  expect(error).toMatchObject({ code: 'simulation_failed', cause: { invariant: 'effects' } });
  expect(error.message).toContain(`To run only this seed, set SIMULATE_SEED=${error.seed}.`);
});
