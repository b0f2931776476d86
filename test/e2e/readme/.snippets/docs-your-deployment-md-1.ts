import { ContentGen } from 'contentgen';
import { defineDeployment } from 'contentgen/deployment';
import givenOnly from 'contentgen/deployments/given-only.json' with { type: 'json' };
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';

const deployment = defineDeployment({ ...givenOnly, wrap: 'data', fields: { key: 'apiKey' } });

const mock = createMockServer({ deployment, clock: 'manual', seed: 1 });
const client = new ContentGen(mock.clientOptions);
const handler = createWebhookHandler({
  deployment,
  secret: mock.signingSecret,
  on: { generation_completed: ({ payload }) => console.log(payload.result) },
});

mock.receivers.set('https://app.example/callbacks', handler);
const webhookUrl = 'https://app.example/callbacks';
const job = await client.content.start({ prompt: '[[say: It arrived]]', webhookUrl });
const done = job.wait({ results: handler }); // never polls: this deployment has nothing to poll
await mock.settle();
await done;
