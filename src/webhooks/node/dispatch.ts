import { kindOf, misconfigured } from '../../signing/errors.ts';
import { defaultMaxBodyBytes } from '../defaults.ts';
import { isWebhookVerificationError, rawBodyAdvice, rejectionStatus } from '../errors.ts';
import type { InboundDelivery, Reply, WebhookHandler } from '../handler.ts';

/** What the adapters take: the handler of `createWebhookHandler`, or any fetch handler around it. */
export type AdaptedHandler = WebhookHandler | ((request: Request) => Response | Promise<Response>);

/** Throws unless `handler` is a function: at start-up rather than at the first delivery. */
export function assertHandler(handler: unknown, adapter: string): void {
  if (typeof handler === 'function') return;
  misconfigured(
    `${adapter} got ${kindOf(handler)}, not a handler`,
    'Pass what createWebhookHandler returns.',
  );
}

/** Largest body, in bytes, read for a fetch handler that is not ours, which may have no limit itself. */
const foreignCap = defaultMaxBodyBytes;

export interface AdaptedDelivery extends Omit<InboundDelivery, 'headers'> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export async function dispatch(handler: AdaptedHandler, given: AdaptedDelivery): Promise<Reply> {
  const delivery = { ...given, headers: toHeaders(given.headers) };
  if ('receive' in handler) return handler.receive(delivery);
  let request: Request;
  try {
    request = await toRequest(delivery);
  } catch (error) {
    return toReply(error);
  }
  try {
    const response = await handler(request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  } catch (error) {
    // Anybody can send such a request: it must not end the process as an unhandled rejection.
    console.error('Failed to handle a webhook: the function around its handler threw.', error);
    return failure(500, 'handler_failed');
  }
}

/** The `Headers` of what Node and Lambda pass. Pseudo-headers of HTTP/2, such as `:path`, are left out. */
function toHeaders(given: AdaptedDelivery['headers']): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given)) {
    if (name.startsWith(':')) continue;
    for (const value of [values ?? []].flat())
      try {
        // A gateway can decode headers as UTF-8. Such a character is in no valid signature.
        headers.append(name, value.replace(/[^\0-\xff]/g, '?'));
      } catch {}
  }
  return headers;
}

async function toRequest(delivery: InboundDelivery): Promise<Request> {
  const { method, url, headers } = delivery;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await delivery.readBody(foreignCap) : undefined;
  return new Request(url, {
    method,
    headers,
    ...(body && { body: body as Uint8Array<ArrayBuffer> }),
  });
}

/** The response when no `Request` can be made, for instance because `Host` is invalid: the sender's fault. */
function toReply(error: unknown): Reply {
  const code = isWebhookVerificationError(error) ? error.code : 'invalid_request';
  if (code === 'body_already_parsed') console.error(rawBodyAdvice);
  return failure(rejectionStatus(code), code);
}

function failure(status: number, code: string): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  };
}
