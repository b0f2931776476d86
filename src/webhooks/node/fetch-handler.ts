import type { WebhookHandler } from '../fetch.ts';
import type { InboundDelivery, Reply } from '../handler.ts';

/** What the adapters take: `createWebhookHandler`'s function, or any fetch handler around it. */
export type AdaptedHandler = WebhookHandler | ((request: Request) => Response | Promise<Response>);

/** Most bytes that are read for a fetch handler that is not ours and keeps no cap of its own. */
const foreignCap = 1_048_576;

/** Hands a delivery to a handler: straight to ours, as a `Request` to any other. */
export async function dispatch(handler: AdaptedHandler, delivery: InboundDelivery): Promise<Reply> {
  if ('receive' in handler) return handler.receive(delivery);
  const headers = new Headers();
  for (const [name, value] of Object.entries(delivery.headers))
    for (const one of [value].flat())
      if (typeof one === 'string' && !name.startsWith(':')) headers.append(name, one);
  const withBody = delivery.method !== 'GET' && delivery.method !== 'HEAD';
  const body = withBody ? await delivery.readBody(foreignCap) : undefined;
  const answer = await handler(
    new Request(delivery.url, {
      method: delivery.method,
      headers,
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    }),
  );
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  };
}
