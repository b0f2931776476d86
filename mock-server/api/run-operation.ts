import type { Hold } from '../domain/holds.ts';
import { redact } from '../domain/redact.ts';
import { isRejection } from '../domain/rejection.ts';
import type { Call, CallOutcome, ReadyCall } from './call.ts';
import { toRemembered } from './idempotency.ts';
import { handlers } from './operations/index.ts';
import type { Handler, OperationCall, Outcome } from './operations/operation.ts';
import { lastEventIdOf } from './replay.ts';
import { toOwnPointers } from './validate.ts';

/** Runs the operation that was called. */
export function runOperation(
  call: Call,
  ready: ReadyCall,
  requestId: string,
  hold?: Hold,
): CallOutcome | Promise<CallOutcome> {
  const { route } = ready.permit;
  const { deployment } = call.service.options;
  const handler = handlers[route.operation] as Handler;
  const toOwn = (outcome: Outcome) =>
    isRejection(outcome) ? toOwnPointers(deployment, route, outcome) : outcome;
  const outcome = handler(operationCallOf(call, ready, requestId, hold));
  return outcome instanceof Promise ? outcome.then(toOwn) : toOwn(outcome);
}

const acceptsEvents = ({ headers }: Request): boolean =>
  /\btext\/event-stream\b/i.test(headers.get('accept') ?? '');

function operationCallOf(
  call: Call,
  ready: ReadyCall,
  requestId: string,
  hold: Hold | undefined,
): OperationCall {
  const { service, request, lifetime } = call;
  const { context, options } = service;
  const { permit, heldKey, input } = ready;

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
    requestId: redact(requestId),
    ...(hold && { hold }),
    deployment: options.deployment,
    ...(heldKey ? { idempotencyKey: heldKey.key } : { abandoned: () => request.signal }),
    lastEventId: lastEventIdOf(request),
    wantsEvents: options.deployment?.has('stream') !== false && acceptsEvents(request),
    write,
    commit: (work) =>
      write(() => {
        const result = work();
        const remembered = heldKey && toRemembered(result);
        if (remembered) heldKey.remember(remembered);
        return result;
      }),
    streaming: (generation) => heldKey?.streaming(generation),
    rememberStream(generation) {
      heldKey?.remember({ status: 200, generation: generation.id });
    },
  };
}
