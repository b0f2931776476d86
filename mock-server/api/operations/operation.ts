import type { OperationId } from '../../contract.ts';
import type { Hold } from '../../domain/holds.ts';
import { redact } from '../../domain/redact.ts';
import { isRejection, type Rejection } from '../../domain/rejection.ts';
import type { Call, OperationResult, ReadyCall } from '../call.ts';
import { toRemembered } from '../idempotency.ts';

export type Outcome = OperationResult | Rejection;

/** What an operation receives of a call that has passed every check. */
export type OperationCall<Body extends object = object> = ReturnType<typeof operationCallOf> & {
  readonly body: Body;
};

export function operationCallOf(
  { service, request, lifetime }: Call,
  { permit, heldKey, input }: ReadyCall,
  requestId: string,
  hold: Hold | undefined,
) {
  const { context, options } = service;
  const { deployment } = options;

  /** Writes in one transaction. Nothing is remembered for the idempotency key. */
  function write<T>(work: () => T): T {
    lifetime.throwIfAborted();
    return context.store.transaction(work);
  }

  return {
    context,
    principal: permit.principal,
    params: permit.route.params,
    query: input.query,
    body: input.body,
    /** As it is stored: it is chosen by the caller, so anything in it that looks like a secret is redacted. */
    loggedRequestId: () => redact(requestId),
    hold,
    deployment,
    idempotencyKey: heldKey?.key,
    /** Aborts when the caller leaves and no retry can ask for the response: undefined with an idempotency key. */
    abandoned: heldKey ? undefined : () => request.signal,
    /** The number in `Last-Event-ID`; 0 without one. */
    lastEventId: () => lastEventIdOf(request),
    wantsEvents: () =>
      deployment?.has('stream') !== false &&
      /\btext\/event-stream\b/i.test(request.headers.get('accept') ?? ''),
    write,
    /** Writes in one transaction, together with the entry for the idempotency key. */
    commit: (work: () => Outcome): Outcome =>
      write(() => {
        const result = work();
        const remembered = heldKey && toRemembered(result);
        if (remembered) heldKey.remember(remembered);
        return result;
      }),
    /** Lets repetitions of the call follow this generation while it runs. */
    streaming: (generation: string) => heldKey?.streaming(generation),
    /** Remembers that the response was the stream of this generation. Call it inside `write`. */
    rememberStream: (generation: string) => heldKey?.remember({ status: 200, generation }),
  };
}

/** The number of the last event that the caller has received; 0 for the beginning. */
export function lastEventIdOf({ headers }: Request): number {
  const id = headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

/** The response about a row, unless it was rejected. */
export const respond = <Row extends object>(
  row: Row | Rejection,
  status: number,
  toWire: (row: Row) => object,
): Outcome => (isRejection(row) ? row : { status, body: toWire(row) });

export type Handler<Body extends object = object> = (
  call: OperationCall<Body>,
) => Outcome | Promise<Outcome>;

export type Handlers = { readonly [Id in OperationId]: Handler<never> };

/** A body in which the fields with a default are always present: validation fills them in. */
export type WithDefaults<Body, Field extends keyof Body> = Body & Required<Pick<Body, Field>>;
