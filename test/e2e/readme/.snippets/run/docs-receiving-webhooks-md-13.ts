import { createTestRequest, sampleEvent } from 'contentgen/testing';
import { createWebhookHandler } from 'contentgen/webhooks';

const secrets = new Map([['acme', process.env.CONTENTGEN_WEBHOOK_SECRET!]]);
const tenantOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';
const seen: string[] = [];

const POST = createWebhookHandler({
  secret: ({ url }) => secrets.get(tenantOf(url)) ?? null,
  dedupeKey: (event, { url }) => `${tenantOf(url)}:${event.id}`,
  on: { invoice_paid: ({ id }) => void seen.push(id) },
});

const event = sampleEvent('invoice_paid');
for (const path of ['webhooks/acme', 'Webhooks/acme', 'x/acme']) {
  const url = `https://app.example/${path}`;
  await POST(await createTestRequest(event, { url, secret: secrets.get('acme')! }));
}
console.log(seen.length); // 1
