import type { ProblemCode } from '../contract.ts';
import type { Fault } from '../domain/records.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Reply } from './reply.ts';
import { problemCodes } from './routes.ts';

/** A fault that answers in place of the operation. */
export interface StatusFault {
  readonly refusal: Refusal;
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
  return { status, refusal: refuse(code, 'An injected fault answers here.', extras) };
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

/** What happens to an answer on its way: the operation ran. */
export function damaged(reply: Reply, effect: Fault['effect'] | undefined): Reply {
  if (!effect) return reply;
  if (effect['drop'] === true) return { ...reply, body: null, broken: true };
  const { body } = reply;
  if (!(body instanceof Uint8Array)) return reply;
  if (typeof effect['truncate'] === 'number') {
    return withBody(reply, cutStream(body.subarray(0, effect['truncate']), 'broken'));
  }
  if (effect['stall'] === true) {
    return withBody(reply, cutStream(body.subarray(0, body.length >> 1), 'stalled'));
  }
  if (effect['malformed'] === true) {
    const bytes = new TextEncoder().encode('{"malformed":');
    return { ...reply, body: bytes, headers: { ...reply.headers, 'content-length': '13' } };
  }
  return reply;
}

function withBody(reply: Reply, body: ReadableStream<Uint8Array>): Reply {
  return { ...reply, body };
}

/** The bytes, then no end: the connection breaks, or nothing comes any more. */
function cutStream(bytes: Uint8Array, end: 'broken' | 'stalled'): ReadableStream<Uint8Array> {
  let sent = bytes.length === 0;
  return new ReadableStream(
    {
      pull(controller) {
        if (!sent) {
          sent = true;
          controller.enqueue(bytes);
        } else if (end === 'broken') controller.error(new TypeError('The connection broke.'));
        else return new Promise<void>(() => {});
        return undefined;
      },
    },
    { highWaterMark: 0 },
  );
}
