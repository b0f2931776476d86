import type { OperationId } from '../contract.ts';
import type { Context } from '../domain/context.ts';
import { redactSecrets } from '../domain/redact.ts';
import { isRejection, reject } from '../domain/rejection.ts';
import { damageReply, delayByFault, takeOperationFault } from './apply-fault.ts';
import { authenticate, authorize, confirmTenant } from './authenticate.ts';
import type {
  At,
  CallContext,
  EndedCall,
  Next,
  Service,
  ServiceOptions,
  ValidCall,
} from './call-context.ts';
import { checkIdempotency, lastEventIdOf, releaseKey, toRemembered } from './idempotency.ts';
import { handlers } from './operations/index.ts';
import type { Handler, OperationCall, Outcome } from './operations/operation.ts';
import { isPieces } from './pieces.ts';
import { limitRate } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { type Reply, replyTo, requestIdOf } from './reply.ts';
import { logRequest } from './request-log.ts';
import { findRoute, respondToPreflight, routesFor, servePublicDocument } from './routes.ts';
import { startOfSteps } from './steps.ts';
import { toOwnPointers, validate } from './validate.ts';

/**
 * The order of checks, as in the contract. It is part of the security model: a caller without valid credentials learns
 * nothing else, and a caller without the right role learns nothing about any record.
 */
const STEPS = startOfSteps<At<'received'>>(failedCall)
  .next(respondToPreflight)
  .next(servePublicDocument)
  .next(authenticate)
  .next(findRoute)
  .next(authorize)
  .next(limitRate)
  .next(takeOperationFault)
  .next(readBody)
  .next(checkIdempotency)
  .next(delayByFault)
  .next(validate)
  .next(confirmTenant)
  .next(runOperation);

/** The whole service as a function from request to reply. It never rejects. */
export function createHandler(
  context: Context,
  options: ServiceOptions,
): (request: Request) => Promise<Reply & { readonly operation?: OperationId }> {
  const routes = routesFor(options.paths);
  const service: Service = { context, options, routes, runningKeys: new Map() };
  return async (request) => {
    const ended = await STEPS.run(receive(service, request), (call: never) => call);
    const call = { ...ended, requestId: ended.requestId ?? requestIdOf(ended) };
    releaseKey(call);
    const { reply, problem } = replyTo(call);
    logRequest(call, reply.status, problem);
    const damaged = damageReply(call, reply);
    const sent = damaged instanceof Promise ? await damaged : damaged;
    const { operation } = call.route ?? {};
    const isHead = request.method === 'HEAD';
    if (isHead && isPieces(sent.body)) sent.body.cancel();
    return {
      ...sent,
      ...(isHead && { body: null }),
      ...(operation && { operation }),
    };
  };
}

function receive(service: Service, request: Request): At<'received'> {
  const { clock } = service.context.ports;
  const { basePath } = service.options;
  const url = new URL(request.url);
  const isUnderBase = basePath !== '' && url.pathname.startsWith(`${basePath}/`);
  return {
    stage: 'received',
    service,
    request,
    url,
    path: isUnderBase ? url.pathname.slice(basePath.length) : url.pathname,
    receivedAt: clock.now(),
    lifetime: service.context.scheduler.lifetime,
    headers: {},
  };
}

/** The end of a call in which a step threw. Its error response is never damaged by a fault. */
function failedCall({ effect: _, ...call }: CallContext, error: unknown): EndedCall {
  if (call.lifetime.aborted) {
    const detail = 'The service was reset during the request. Retry.';
    return { ...call, outcome: reject('unavailable', detail, { retryAfterMs: 1000 }) };
  }
  call.service.options.onError(error);
  const detail = 'The service failed. The request can be retried.';
  return { ...call, outcome: reject('internal_error', detail) };
}

/** Step: runs the operation, which ends the call. */
function runOperation(call: At<'tenant confirmed', ValidCall>): Next<never> | Promise<Next<never>> {
  const handler = handlers[call.route.operation] as Handler;
  const decided = (outcome: Outcome): EndedCall => ({
    ...call,
    outcome: isRejection(outcome) ? toOwnPointers(call, outcome) : outcome,
  });
  const outcome = handler(operationCallOf(call));
  return outcome instanceof Promise ? outcome.then(decided) : decided(outcome);
}

const acceptsEvents = ({ headers }: Request): boolean =>
  /\btext\/event-stream\b/i.test(headers.get('accept') ?? '');

function operationCallOf(call: ValidCall): OperationCall {
  const { service, request, principal, route, input, heldKey, idempotencyKey, lifetime } = call;
  const { context, options } = service;

  function write<T>(work: () => T): T {
    lifetime.throwIfAborted();
    return context.store.transaction(work);
  }

  return {
    context,
    principal,
    params: route.params,
    requestId: redactSecrets(call.requestId),
    ...input,
    deployment: options.deployment ?? {},
    ...(idempotencyKey === undefined ? { abandoned: () => request.signal } : { idempotencyKey }),
    lastEventId: lastEventIdOf(request),
    wantsEvents: acceptsEvents(request),
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
