import { callback } from '../option-rules.ts';
import { elapsed, setTimer } from '../platform/driver.ts';
import { assertOptions, finite, kindOf, misconfigured } from '../signing/errors.ts';
import { LeaseLostError } from './callback-errors.ts';
import { type WhenEnded, whenEnded } from './callbacks.ts';
import type { Claim, Dedupe, SqlQuery } from './dedupe/dedupe.ts';
import type { KnownWebhookEvent, WebhookEvent } from './events.ts';
import type { WebhookCallback } from './handler-options.ts';
import { keepLease, type Lease } from './lease.ts';
import { defaultStoreTimeoutMs, withinDeadline } from './store-deadline.ts';

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
  /**
   * What the event is about: order matters only among events with the same key. Return `undefined` to leave an event
   * unordered.
   */
  readonly key: (event: AnyEvent) => string | undefined;
  /**
   * How long each step of the store can take, in ms, at least 10: pass the `storeTimeoutMs` of the handler. A step that
   * takes longer throws, and the sender retries. @default 4_000
   */
  readonly storeTimeoutMs?: number;
}

/** How long an event waits for another one with its key; the sender's own timeout is 15 s. */
const patienceMs = 5000;
const pollMs = 50;

/**
 * Wraps a callback so that it ignores an event that happened before one that was already handled, for effects where
 * the latest state wins. Deliveries arrive in any order, and a retry carries the time of its attempt, so the order is
 * that of `occurredAt` in the payload (`completedAt` in a result callback); an event without it is always handled.
 * Events of one key are handled one at a time, in all processes that share the store. An event counts as handled once
 * its effect is committed: with `postgresDedupe`, in the same transaction as `commitWith` or `context.query`; otherwise
 * right after the callback, or after the transaction of the queue.
 *
 * @param store - `memoryDedupe`, `redisDedupe` or `postgresDedupe`: the handler's own store is fine.
 * @throws WebhookConfigurationError when the store keeps no times, an option is invalid, or `key` returns an empty
 * string.
 * @example
 * const dedupe = memoryDedupe();
 * const latest = latestOnly(dedupe, { key: (event) => event.payload.source });
 * createWebhookHandler({ secret, dedupe, on: { data_updated: latest((event) => refresh(event.payload)) } });
 */
export function latestOnly(
  store: Dedupe,
  input: LatestOnlyOptions,
): <Event extends WebhookEvent>(callback: WebhookCallback<Event>) => WebhookCallback<Event> {
  assertOptions(input, { key: callback, storeTimeoutMs: finite('milliseconds', 10) });
  const { key, storeTimeoutMs = defaultStoreTimeoutMs } = input;
  const times =
    store?.times ??
    misconfigured(
      `latestOnly got ${kindOf(store)}, which is not a store that it can use`,
      'Pass memoryDedupe(), redisDedupe(client) or postgresDedupe(query).',
    );
  if (typeof key !== 'function')
    misconfigured(`key of latestOnly is ${kindOf(key)}`, 'Pass a function.');
  const inTime = <T>(call: () => T | Promise<T>) => withinDeadline(storeTimeoutMs, call);
  return (inner) => async (event, context) => {
    const about = key(event as never);
    const time = timeOf(event.payload);
    if (about === undefined || time === undefined) return inner(event, context);
    if (typeof about !== 'string' || about === '')
      misconfigured(`key of latestOnly returned ${kindOf(about)}`, 'Return a non-empty string.');
    const [turn, latest] = [`latest:turn:${about}`, `latest:time:${about}`];
    const { attemptId, query, commitWith } = context;
    const { raiseWith } = times;
    const claim = () => inTime(() => store.claim(turn, attemptId));
    let lease: Lease | undefined;
    let isRaised = false;
    let usesQuery = false;
    const raiseThrough = async (through: SqlQuery) => {
      if (isRaised || !raiseWith) return;
      await raiseWith(through, latest, time);
      isRaised = true;
    };
    /** Frees the turn, and raises the time unless that is part of the effect's transaction. */
    const end = async (isHandled: boolean) => {
      try {
        if (isHandled && !isRaised) await inTime(() => times.raise(latest, time));
      } finally {
        lease?.stop();
        // A turn that cannot be released ends with its lease.
        await inTime(() => store.release(turn, attemptId)).catch(() => {});
      }
    };
    const later: WhenEnded | undefined = Object(context)[whenEnded];
    let isHandled = false;
    try {
      await takeTurn(claim, context.signal);
      lease = keepLease(store, turn, attemptId, { storeTimeoutMs, ending: context.signal });
      const handled = await inTime(() => times.read(latest));
      if (handled !== undefined && time < handled) return undefined;
      const counted: SqlQuery | undefined =
        query &&
        ((text, params) => {
          usesQuery = true;
          return query(text, params);
        });
      const result = await inner(event, {
        ...context,
        signal: lease.signal,
        ...(counted && { query: counted }),
        // Effect, mark and time commit together.
        commitWith: async (through) => {
          await raiseThrough(through);
          await commitWith(through === counted && query ? query : through);
        },
      });
      if (query && usesQuery) await raiseThrough(query);
      isHandled = true;
      return result;
    } finally {
      if (isHandled && later) later(end);
      else await end(isHandled);
    }
  };
}

/** Waits until no other event with the key is being handled. If that takes too long, the response is 503. */
async function takeTurn(claim: () => Promise<Claim>, signal: AbortSignal): Promise<void> {
  const end = elapsed() + patienceMs;
  while (elapsed() <= end) {
    signal.throwIfAborted();
    const { state } = await claim();
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
