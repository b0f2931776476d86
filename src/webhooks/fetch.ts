import { createReceiver, type Receiver } from './handler.ts';
import type { WebhookHandlerOptions } from './handler-options.ts';
import { readBody } from './read-delivery.ts';

/**
 * A receiver as a fetch handler. `waitFor` settles when the result of a generation arrives here, so
 * `job.wait({ results: handler })` need not poll. `receive` is for adapters of other runtimes.
 */
export interface WebhookHandler extends Receiver {
  (request: Request): Promise<Response>;
}

/**
 * Creates the receiver of webhooks and result callbacks: it verifies a delivery, handles it once and responds. Pass it
 * the request before anything reads the body.
 *
 * @throws WebhookConfigurationError when the options cannot work.
 * @example
 * export const POST = createWebhookHandler({
 *   secret: process.env.CONTENTGEN_WEBHOOK_SECRET!,
 *   on: { generation_completed: (event) => save(event.payload.requestId, event.payload.result) },
 * });
 */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const receiver = createReceiver(options);
  const handler = async (request: Request): Promise<Response> => {
    const { method, url, headers } = request;
    const reply = await receiver.receive({
      method,
      url,
      headers,
      readBody: (maxBytes) => readBody(request, maxBytes),
    });
    return new Response(reply.body, reply);
  };
  return Object.assign(handler, receiver);
}
