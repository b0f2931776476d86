import { onAbort } from '../platform/driver.ts';
import { type SignedDelivery, toRequest } from './test-request.ts';

/** A receiver under test: its fetch handler, or the URL where it listens. */
export type Target = ((request: Request) => Response | Promise<Response>) | string | URL;

/** The response of a receiver under test. */
export interface TargetResponse {
  /** 0 if there was none: no connection, a timeout, or a handler that threw. */
  readonly status: number;
  /** At most the first 1 024 characters; with status 0, the error. */
  readonly body: string;
  /** How long the response took, ms. */
  readonly durationMs: number;
  /** The `Retry-After` header as sent. */
  readonly retryAfter?: string;
}

const snippetLength = 1024;

/** Reads a response to its end, and returns its start. */
async function readStart({ body }: Response, signal: AbortSignal): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const stopListening = onAbort(signal, () => void reader.cancel().catch(() => {}));
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (text.length < snippetLength) text += decoder.decode(value, { stream: true });
  }
  stopListening();
  return text.slice(0, snippetLength);
}

/** Sends one attempt like the service does: no redirects, one time limit over everything. */
export async function send(
  target: Target,
  delivery: SignedDelivery,
  timeoutMs: number,
): Promise<TargetResponse> {
  const start = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  let status = 0;
  const attempt = async (): Promise<Omit<TargetResponse, 'durationMs'>> => {
    const url = typeof target === 'function' ? delivery.url : String(target);
    const request = toRequest({ ...delivery, url }, signal);
    const response = await (typeof target === 'function' ? target(request) : fetch(request));
    status = response.status;
    const retryAfter = response.headers.get('retry-after');
    const body = await readStart(response, signal);
    return { status: response.status, body, ...(retryAfter !== null && { retryAfter }) };
  };
  // A handler can ignore the signal of its request, so the limit is enforced here too.
  let stopListening = () => {};
  const timeout = new Promise<never>((_resolve, reject) => {
    stopListening = onAbort(signal, () => reject(signal.reason));
  });
  try {
    const response = await Promise.race([attempt(), timeout]);
    return { ...response, durationMs: performance.now() - start };
  } catch (error) {
    const isEndless = status > 0 && signal.aborted;
    const body = isEndless
      ? `The receiver responded ${status}, but the body of its response did not end.`
      : error instanceof Error
        ? `${error.name}: ${error.message}`
        : String(error);
    return { status: 0, body, durationMs: performance.now() - start };
  } finally {
    stopListening();
  }
}
