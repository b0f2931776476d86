import { createWebhookHandler, signWebhook } from 'contentgen/webhooks';

const secret = process.env.CONTENTGEN_WEBHOOK_SECRET!;
const handler = createWebhookHandler({
  secret,
  logger: {
    warn: (text) => console.log(text.split('\n')[0]),
    error: console.error,
    diagnose: true,
  },
});

const sent = '{"requestId":"gen_1","result":"Hi","model":"content-1","usage":{"totalTokens":2}}';
const parsedAndSerializedAgain = JSON.stringify(JSON.parse(sent), null, 2);
const headers = await signWebhook({ body: sent, secret });
const response = await handler(
  new Request('https://app.example/', { method: 'POST', headers, body: parsedAndSerializedAgain }),
);
console.log(response.status); // 400
