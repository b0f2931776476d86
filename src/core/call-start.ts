import type { CallStart } from '../options.ts';
import type { Call } from './request.ts';

const starts = new WeakMap<Call, CallStart>();

/** What middleware gets to know about a call: the same object each time. */
export function callStart(call: Call): CallStart {
  let start = starts.get(call);
  if (!start) {
    const { operation, method, url, idempotencyKey, isKeyGenerated, body } = call;
    const text = typeof body === 'string' ? body : undefined;
    start = Object.freeze({ operation, method, url, idempotencyKey, isKeyGenerated, body: text });
    starts.set(call, start);
  }
  return start;
}
