import type { ProblemCode } from '../contract.ts';
import type { Fault } from '../domain/records.ts';
import { type Rejection, reject } from '../domain/rejection.ts';
import type { Reply } from './reply.ts';
import { problemCodes } from './routes.ts';

/** A fault that answers in place of the operation. */
export interface StatusFault {
  readonly refusal: Rejection;
  readonly status: number;
}

const RETRY_LATER = new Set([429, 503]);

export function statusFaultOf(effect: Fault['effect'] | undefined): StatusFault | undefined {
  const status = effect?.['status'];
  if (typeof status !== 'number') return undefined;
  const usual = (problemCodes as Readonly<Record<number, readonly ProblemCode[]>>)[status];
  const code = (effect?.['code'] ?? defaults[status] ?? usual?.[0] ?? 'unavailable') as ProblemCode;
  const retryAfter = effect?.['retryAfter'];
  const later = typeof retryAfter === 'number' ? retryAfter * 1000 : undefined;
  const retryAfterMs = later ?? (RETRY_LATER.has(status) ? 1000 : undefined);
  const extras = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { status, refusal: reject(code, 'An injected fault answers here.', extras) };
}

const defaults: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  409: 'invalid_state',
  422: 'validation_failed',
  429: 'rate_limited',
  500: 'internal_error',
};

/** Milliseconds that a fault holds the operation back. */
export function delayOf(effect: Fault['effect'] | undefined): number {
  const delay = effect?.['delay'];
  return typeof delay === 'number' && delay > 0 ? delay : 0;
}

/** What happens to an answer on its way: the operation ran. One that stalls does so for the server's `lifetime`. */
export function damaged(
  reply: Reply,
  effect: Fault['effect'] | undefined,
  lifetime: AbortSignal,
): Reply {
  if (!effect) return reply;
  const { body } = reply;
  if (effect['drop'] === true) {
    closeStream(body);
    return { ...reply, body: null, broken: true };
  }
  if (body === null) return reply;
  if (typeof effect['truncate'] === 'number') {
    return { ...reply, body: cut(body, effect['truncate']) };
  }
  if (effect['stall'] === true) {
    return { ...reply, body: cut(body, bytesBeforeStall(body), lifetime) };
  }
  if (effect['malformed'] === true) {
    closeStream(body);
    const text = body instanceof Uint8Array ? '{"malformed":' : 'data: {"malformed":\n\n';
    const bytes = new TextEncoder().encode(text);
    const headers: Record<string, string> = { ...reply.headers };
    headers['content-length'] = String(bytes.length);
    return { ...reply, body: bytes, headers };
  }
  return reply;
}

/** What nobody will read is closed, as it is by a caller who goes away. */
function closeStream(body: Reply['body']): void {
  if (body instanceof ReadableStream) void body.cancel().catch(() => {});
}

const bytesBeforeStall = (body: Uint8Array | ReadableStream): number =>
  body instanceof Uint8Array ? body.length >> 1 : 1;

function asStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** So many bytes, then no end: the connection breaks, at once or when the stall is over. */
function cut(
  body: Uint8Array | ReadableStream<Uint8Array>,
  limit: number,
  stall?: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = (body instanceof Uint8Array ? asStream(body) : body).getReader();
  let left = limit;
  let wake = () => {};
  const stalled = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', wake, { once: true });
    });
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = left > 0 ? await reader.read() : { value: undefined };
        if (value) {
          controller.enqueue(value.subarray(0, left));
          left -= Math.min(left, value.length);
          return;
        }
        if (stall) await stalled(stall);
        void reader.cancel().catch(() => {});
        controller.error(new TypeError('The connection broke.'));
      },
      cancel(reason) {
        stall?.removeEventListener('abort', wake);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
