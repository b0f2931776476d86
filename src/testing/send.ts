import { type SignedDelivery, toRequest } from './test-request.ts';

/** A receiver under test: its fetch handler, or the address where it listens. */
export type Target = ((request: Request) => Response | Promise<Response>) | string | URL;

/** What came back. */
export interface Answer {
  /** 0 when nothing did: no connection, no answer in time, or a handler that threw. */
  readonly status: number;
  /** At most 1 KiB of it. */
  readonly body: string;
  readonly durationMs: number;
  readonly retryAfter?: string;
}

const snippetLength = 1024;

/** Sends one attempt as the service does: no redirects, one deadline over everything. */
export async function send(
  target: Target,
  delivery: SignedDelivery,
  timeoutMs: number,
): Promise<Answer> {
  const start = performance.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const url = typeof target === 'function' ? delivery.url : String(target);
  const answer = async (): Promise<Omit<Answer, 'durationMs'>> => {
    const request = toRequest({ ...delivery, url }, signal);
    const response = await (typeof target === 'function' ? target(request) : fetch(request));
    const retryAfter = response.headers.get('retry-after');
    const body = (await response.text()).slice(0, snippetLength);
    return { status: response.status, body, ...(retryAfter !== null && { retryAfter }) };
  };
  let stop = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    const got = await Promise.race([answer(), late]);
    return { ...got, durationMs: performance.now() - start };
  } catch (error) {
    const body = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { status: 0, body, durationMs: performance.now() - start };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
