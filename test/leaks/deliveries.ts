import { createMockServer } from '../../mock-server/index.ts';
import { reportGrowth } from './flat-heap.ts';

const mock = createMockServer({ clock: 'manual', seed: 1, retention: { lines: 200 }, quota: 1e12 });
const url = 'https://app.example/hooks';
let received = 0;
mock.receivers.set(url, async (request) => {
  await request.arrayBuffer();
  received += 1;
  return new Response(null, { status: received % 10 === 0 ? 503 : 200 });
});
await mock.fetch(`${mock.baseUrl}/api/webhooks`, {
  method: 'POST',
  headers: { 'X-API-Key': mock.adminKey, 'Content-Type': 'application/json' },
  body: JSON.stringify({ event: 'data_updated', url }),
});

await reportGrowth(async (index) => {
  mock.trigger('data_updated', { records: index });
  // Failed deliveries are retried within the hour, so the queue stays short.
  if (index % 50 === 0) await mock.clock.advance('1 hour');
});
