import { verifyWebhook, WebhookVerificationError } from 'contentgen/webhooks';

export async function receive(request: Request): Promise<Response> {
  try {
    const event = await verifyWebhook({ request, secret: process.env.CONTENTGEN_WEBHOOK_SECRET! });
    if (event.type === 'usage_threshold') console.log(event.payload.usage);
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return Response.json({ code: error.code }, { status: 400 });
  }
}
