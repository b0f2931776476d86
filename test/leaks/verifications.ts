import {
  createWebhookHandler,
  memoryDedupe,
  signWebhook,
  verifyWebhook,
} from '../../src/webhooks/index.ts';
import { reportGrowth } from './flat-heap.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body =
  '{"requestId":"gen_1","status":"completed","result":"Hi","model":"m","usage":{"totalTokens":2}}';
const headers = await signWebhook({ id: 'msg_1', body, secret });
const forged = { ...headers, 'webhook-id': 'msg_2' };
const handler = createWebhookHandler({
  secret,
  logger: { ...console, diagnose: false },
  dedupe: memoryDedupe({ maxEntries: 100 }),
  on: { generation_completed: () => {} },
});

await reportGrowth(async (index) => {
  await verifyWebhook({ headers, body, secret });
  if (index % 10 === 0) {
    await verifyWebhook({
      headers: forged,
      body,
      secret,
      logger: { ...console, diagnose: false },
    }).catch(() => {});
    // Each id is new, so the dedupe store has to evict old ones.
    const fresh = await signWebhook({ id: `msg_${index}`, body, secret });
    await handler(new Request('https://app.example/', { method: 'POST', headers: fresh, body }));
  }
});
