import { createReceiver, type Receiver } from './handler.ts';
import type { WebhookHandlerOptions } from './handler-options.ts';
import { refuse } from './refusal.ts';
import { late } from './verify.ts';

/**
 * A receiver as a fetch handler. `waitFor` settles when the result of a generation arrives here, so that
 * `job.wait({ results: handler })` need not poll; `receive` is for adapters of other runtimes.
 */
export interface WebhookHandler extends Receiver {
  (request: Request): Promise<Response>;
}

/**
 * Makes the receiver of webhooks and result callbacks: verifies, handles each delivery once, answers.
 * Give it the request before anything reads the body.
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
    const answer = await receiver.receive({
      method,
      url,
      headers,
      // Adapters that bring a body of their own never load this.
      readBody: async (maxBytes) => (await late()).readBody(request, maxBytes, refuse),
    });
    return new Response(answer.body, answer);
  };
  return Object.assign(handler, receiver);
}
