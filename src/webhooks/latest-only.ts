import { setTimer } from '../platform/driver.ts';
import { assertKnownOptions, kindOf, misconfigured } from '../signing/errors.ts';
import { type Dedupe, LeaseLostError } from './dedupe/dedupe.ts';
import type { KnownWebhookEvent, WebhookEvent } from './events.ts';
import type { WebhookCallback } from './handler-options.ts';
import { keepLease, withinDeadline } from './process-once.ts';

type Payload = KnownWebhookEvent['payload'];
type Field = Payload extends infer One ? (One extends One ? keyof One : never) : never;
type ValueOf<Name extends Field> = Payload extends infer One
  ? One extends { readonly [Key in Name]?: infer Value }
    ? Value
    : never
  : never;

/** An event of any type: its payload can have the fields of every type. */
export interface AnyEvent {
  /** The `webhook-id` of the delivery. */
  readonly id: string;
  /** The type of the event. */
  readonly type: string;
  /** The fields of its payload. */
  readonly payload: { readonly [Name in Field]?: ValueOf<Name> };
}

/** Options of {@link latestOnly}. */
export interface LatestOnlyOptions {
  /** What the event is about: order only matters among events with the same key. `undefined` leaves one unordered. */
  readonly key: (event: AnyEvent) => string | undefined;
}

/** How long an event waits for another one of its key: the sender waits 15 s in all. */
const patienceMs = 5000;
const pollMs = 50;
const storeTimeoutMs = 4000;

/**
 * Wraps a callback so that it ignores an event that happened before one that was already handled, for effects where
 * the latest state wins. Deliveries arrive in any order, and a retry carries the time of its attempt, so the order is
 * that of `occurredAt` in the payload (`completedAt` in a result callback); an event without it is always handled.
 * Events of one key are handled one at a time, in all processes that share the store.
 *
 * @param store - `memoryDedupe`, `redisDedupe` or `postgresDedupe`: the one that the handler has will do.
 * @throws WebhookConfigurationError when the store keeps no times, or when `key` returns an empty string.
 * @example
 * const dedupe = memoryDedupe();
 * const latest = latestOnly(dedupe, { key: (event) => event.payload.source });
 * createWebhookHandler({ secret, dedupe, on: { data_updated: latest((event) => refresh(event.payload)) } });
 */
export function latestOnly(
  store: Dedupe,
  input: LatestOnlyOptions,
): <Event extends WebhookEvent>(callback: WebhookCallback<Event>) => WebhookCallback<Event> {
  assertKnownOptions(input, { key: true });
  const { key } = input;
  const times =
    store?.times ??
    misconfigured(
      `latestOnly got ${kindOf(store)} that keeps no times`,
      'Pass memoryDedupe(), redisDedupe(client) or postgresDedupe(query).',
    );
  if (typeof key !== 'function')
    misconfigured(`key of latestOnly is ${kindOf(key)}`, 'Pass a function.');
  return (callback) => async (event, context) => {
    const about = key(event as never);
    const time = timeOf(event.payload);
    if (about === undefined || time === undefined) return callback(event, context);
    if (typeof about !== 'string' || about === '')
      misconfigured(`key of latestOnly returned ${kindOf(about)}`, 'Return a non-empty string.');
    const [turn, latest] = [`latest:turn:${about}`, `latest:time:${about}`];
    const { attemptId } = context;
    await takeTurn(store, turn, attemptId, context.signal);
    const lease = keepLease(store, turn, attemptId, storeTimeoutMs);
    try {
      const handled = await withinDeadline(storeTimeoutMs, async () => times.read(latest));
      if (handled !== undefined && time < handled) return undefined;
      const signal = firstOf(context.signal, lease.signal);
      const result = await callback(event, { ...context, signal });
      await withinDeadline(storeTimeoutMs, async () => times.raise(latest, time));
      return result;
    } finally {
      lease.stop();
      // A turn that cannot be given back ends with its lease.
      await withinDeadline(storeTimeoutMs, async () => store.release(turn, attemptId)).catch(
        () => {},
      );
    }
  };
}

/** `AbortSignal.any`, which edge runtimes lack. Both signals end with the delivery. */
function firstOf(...signals: AbortSignal[]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason);
    else signal.addEventListener('abort', () => first.abort(signal.reason), { once: true });
  }
  return first.signal;
}

/** Waits until no other event of the key is handled. If that takes too long, the delivery gets a 503. */
async function takeTurn(store: Dedupe, turn: string, attemptId: string, signal: AbortSignal) {
  for (let waited = 0; waited <= patienceMs; waited += pollMs) {
    signal.throwIfAborted();
    const { state } = await withinDeadline(storeTimeoutMs, async () =>
      store.claim(turn, attemptId),
    );
    if (state === 'claimed') return;
    await new Promise<void>((resolve) => setTimer(resolve, pollMs));
  }
  throw new LeaseLostError();
}

/** When it happened, in ms. */
function timeOf(payload: object): number | undefined {
  const { occurredAt, completedAt } = payload as Record<string, unknown>;
  const time = Date.parse(String(occurredAt ?? completedAt ?? ''));
  return Number.isNaN(time) ? undefined : time;
}
