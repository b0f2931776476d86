import { ContentGen } from 'contentgen';
import { createMockServer } from 'contentgen/mock';

const mock = createMockServer({ clock: 'manual', seed: 1 });
const client = new ContentGen(mock.clientOptions);
let calls = 0;
mock.receivers.set('https://app.example/callbacks', () => {
  calls += 1;
  return new Response(null, { status: calls < 3 ? 500 : 200 });
});

await client.content.generate({ prompt: 'Hi', webhookUrl: 'https://app.example/callbacks' });
await mock.settle(); // runs what is due now, including the first delivery attempt
console.log(calls); // 1
await mock.clock.advance('10 minutes'); // runs each retry at its scheduled time
console.log(calls, mock.deliveries()[0]?.status); // 3 delivered
