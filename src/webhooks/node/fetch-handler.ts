import type { WebhookHandler } from '../fetch.ts';
import type { InboundDelivery, Reply } from '../handler.ts';
import { isRefusal } from '../refusal.ts';
import { refusedStatus } from '../refused-status.ts';

/** What the adapters take: `createWebhookHandler`'s function, or any fetch handler around it. */
export type AdaptedHandler = WebhookHandler | ((request: Request) => Response | Promise<Response>);

/** Most bytes that are read for a fetch handler that is not ours and keeps no cap of its own. */
const foreignCap = 1_048_576;

/** Hands a delivery to a handler: straight to ours, as a `Request` to any other. */
export async function dispatch(handler: AdaptedHandler, delivery: InboundDelivery): Promise<Reply> {
  if ('receive' in handler) return handler.receive(delivery);
  let request: Request;
  try {
    request = await toRequest(delivery);
  } catch (thrown) {
    return refusal(thrown);
  }
  const answer = await handler(request);
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  };
}

async function toRequest(delivery: InboundDelivery): Promise<Request> {
  const { method, url } = delivery;
  const headers = new Headers();
  for (const [name, value] of Object.entries(delivery.headers))
    for (const one of [value].flat())
      if (typeof one === 'string' && !name.startsWith(':')) headers.append(name, one);
  const withBody = method !== 'GET' && method !== 'HEAD';
  const body = withBody ? await delivery.readBody(foreignCap) : undefined;
  return new Request(url, {
    method,
    headers,
    ...(body && { body: body as Uint8Array<ArrayBuffer> }),
  });
}

/** What no `Request` can be made of, such as a `Host` that is none, is the sender's fault: it must not reject. */
async function refusal(thrown: unknown): Promise<Reply> {
  const code = isRefusal(thrown) ? thrown.code : 'invalid_request';
  if (code === 'body_already_parsed') console.error((await import('../diagnose.ts')).parsedAdvice);
  return {
    status: refusedStatus(code),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  };
}
