import { readUpTo } from '../api/read-body.ts';
import { onAbort } from '../domain/listeners.ts';
import { matches } from '../domain/options.ts';
import type { OutboundOutcome, OutboundRequest, Transport } from '../domain/ports.ts';
import { timedOut } from './failure.ts';

/** An application's webhook handler in this process. */
export type InProcessReceiver = (request: Request) => Response | Promise<Response>;

/** Receivers by the URL of their deliveries. A plain `Map`, not a subclass: MobX refuses those in its state. */
export function createReceivers(): Map<string, InProcessReceiver> {
  const receivers = new Map<string, InProcessReceiver>();
  receivers.set = (url, receiver) => {
    if (!isHttpUrl(url)) {
      throw new TypeError(
        `Failed to set a receiver: ${JSON.stringify(url)} is not an absolute URL as a string. Pass the whole URL, such as 'https://app.example/callbacks'.`,
      );
    }
    return Map.prototype.set.call(receivers, url, receiver);
  };
  return receivers;
}

const isHttpUrl = matches(/^https?:\/\/./i);
const MAX_SNIPPET_BYTES = 16 * 1024;

/** Delivers to the function registered for the URL, with or without its query, or else over `network`. */
export function receiversFirst(
  receivers: ReadonlyMap<string, InProcessReceiver>,
  network: Transport,
): Transport {
  return (request, context) => {
    const receiver = findReceiver(receivers, request.url);
    return receiver ? deliverTo(receiver, request, context.signal) : network(request, context);
  };
}

function findReceiver(
  receivers: ReadonlyMap<string, InProcessReceiver>,
  url: string,
): InProcessReceiver | undefined {
  if (receivers.size === 0) return undefined;
  const exact = receivers.get(url);
  if (exact || !URL.canParse(url)) return exact;
  const { href, origin, pathname } = new URL(url);
  return receivers.get(href) ?? receivers.get(origin + pathname);
}

async function deliverTo(
  receiver: InProcessReceiver,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  if (signal.aborted) return timedOut('connecting');
  let stopListening = () => {};
  const timeout = new Promise<OutboundOutcome>((resolve) => {
    stopListening = onAbort(signal, () => resolve(timedOut('waiting')));
  });
  try {
    return await Promise.race([callReceiver(receiver, request, signal), timeout]);
  } finally {
    stopListening();
  }
}

/** A receiver that throws looks like a broken connection. */
async function callReceiver(
  receiver: InProcessReceiver,
  { url, headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  try {
    const init = { method: 'POST', headers: { ...headers }, body: body as Uint8Array<ArrayBuffer> };
    const request = requestOf(url, init, signal);
    const response = await receiver(request);
    if (response.type === 'error') {
      return { error: 'connection', reason: 'The receiver function returned a network error.' };
    }
    const retryAfter = response.headers.get('retry-after');
    return {
      status: response.status,
      ...(retryAfter === null ? {} : { retryAfter }),
      snippet: await readSnippet(response),
      headers: response.headers,
    };
  } catch (error) {
    return { error: 'connection', reason: `The receiver function threw ${nameOf(error)}.` };
  }
}

/** With the signal, unless `Request` rejects it: in jsdom, `AbortController` is replaced and `Request` is not. */
function requestOf(url: string, init: RequestInit, signal: AbortSignal): Request {
  try {
    return new Request(url, { ...init, signal });
  } catch {
    return new Request(url, init);
  }
}

/** The kind of an error; its message could contain anything. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : `a value of type ${typeof error}`;
}

async function readSnippet(response: Response): Promise<string> {
  if (!response.body) return '';
  const { bytes } = await readUpTo(response.body, MAX_SNIPPET_BYTES);
  return new TextDecoder().decode(bytes);
}
