import { createWebhookHandler } from 'contentgen/webhooks';

const handler = createWebhookHandler({
  secret: () => process.env.CONTENTGEN_WEBHOOK_SECRET,
  on: { generation_completed: (event) => console.log(event.payload.result) },
});

export const POST = ({ request }: { request: Request }) => handler(request);
