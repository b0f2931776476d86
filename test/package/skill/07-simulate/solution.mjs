import { test } from 'node:test';
import { simulate } from 'contentgen/simulate';
import { shop } from './app.mjs';

test('one email for each result, whatever goes wrong', async () => {
  await simulate({
    seeds: 200,
    app: shop,
    receive: (app) => app.webhooks,
    run: ({ app }) =>
      Promise.allSettled(['one', 'two', 'three'].map((prompt) => app.order(prompt))),
    effects: async ({ disk }) => {
      const emails = await disk.open('shop').keys('email/');
      return emails.map((key) => key.split('/')[1]);
    },
  });
});
