import type { OutboundOutcome, OutboundRequest, Transport } from '../domain/ports.ts';

/** An application's webhook handler, in this process. */
export type Receiver = (request: Request) => Response | Promise<Response>;

const maxAnswerBytes = 16 * 1024;

/** Delivers into a function where one is registered for the URL, with or without its query, else by `network`. */
export function receiversFirst(
  receivers: ReadonlyMap<string, Receiver>,
  network: Transport,
): Transport {
  return (request, context) => {
    const receiver = find(receivers, request.url);
    return receiver ? deliverInto(receiver, request, context.signal) : network(request, context);
  };
}

function find(receivers: ReadonlyMap<string, Receiver>, url: string): Receiver | undefined {
  if (receivers.size === 0) return undefined;
  const exact = receivers.get(url);
  if (exact || !URL.canParse(url)) return exact;
  const { href, origin, pathname } = new URL(url);
  return receivers.get(href) ?? receivers.get(origin + pathname);
}

async function deliverInto(
  receiver: Receiver,
  { url, headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  if (signal.aborted) return { error: 'timeout' };
  let onAbort = () => {};
  const late = new Promise<OutboundOutcome>((resolve) => {
    onAbort = () => resolve({ error: 'timeout' });
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const answered = (async (): Promise<OutboundOutcome> => {
    try {
      const request = new Request(url, {
        method: 'POST',
        headers: { ...headers },
        body: body as Uint8Array<ArrayBuffer>,
        signal,
      });
      const response = await receiver(request);
      if (response.type === 'error') return { error: 'connection' };
      const retryAfter = response.headers.get('retry-after');
      return {
        status: response.status,
        ...(retryAfter === null ? {} : { retryAfter }),
        snippet: await readSnippet(response),
      };
    } catch {
      return { error: 'connection' };
    }
  })();
  try {
    return await Promise.race([answered, late]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function readSnippet(response: Response): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; size < maxAnswerBytes; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    const room = maxAnswerBytes - size;
    size += value.byteLength;
    text += decoder.decode(value.subarray(0, room), { stream: true });
  }
  await reader.cancel();
  return text;
}
