import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler, memoryDedupe } from 'contentgen/webhooks';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.adminOptions);
const began = new Date(mock.clock.now());

// The receiver is down for five days while a result arrives.
mock.receivers.set('https://app.example/callbacks', async () => new Response('', { status: 503 }));
await client.content.start({ prompt: 'Chapter three', webhookUrl: 'https://app.example/callbacks' });
await mock.clock.advance('5 days');

let stored = 0;
mock.receivers.set(
  'https://app.example/callbacks',
  createWebhookHandler({
    secret: mock.signingSecret,
    now: mock.clock.now,
    dedupe: memoryDedupe({ now: mock.clock.now }), // your own: redisDedupe or postgresDedupe
    on: { generation_completed: () => void stored++ },
  }),
);
let { count } = await client.webhooks.redeliverFailedCallbacks({ since: began });
for await (const { id, status } of client.webhooks.list())
  if (status === 'enabled') count += (await client.webhooks.redeliverFailed(id, { since: began })).count;
await mock.settle();
console.log(count, stored); // 1 1
