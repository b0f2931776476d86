import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';
import { createWebhookHandler } from 'contentgen/webhooks';

const mock = createMockServer({ seed: 1 });
const client = new ContentGen(mock.clientOptions);

const receiver = createWebhookHandler({ secret: mock.signingSecret });
mock.receivers.set('https://app.example/callbacks', receiver);

const job = await client.content.start({
  prompt: 'Chapter three',
  webhookUrl: 'https://app.example/callbacks',
});
const chapter = await job.wait({ results: receiver, deadline: 60_000 });
console.log(chapter.requestId === job.requestId); // true
