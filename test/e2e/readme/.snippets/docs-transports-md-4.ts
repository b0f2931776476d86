import { ContentGen } from 'contentgen';
import { otel } from 'contentgen/otel';
import { createWebhookHandler } from 'contentgen/webhooks';

const client = new ContentGen({ middleware: [otel()] });

export const POST = createWebhookHandler({
  secret: process.env['CONTENTGEN_WEBHOOK_SECRET']!,
  on: { generation_completed: (event) => console.log(event.payload.requestId) },
  ...otel.receiver(),
});
