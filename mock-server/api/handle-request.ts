import type { Context } from '../domain/context.ts';
import { redactSecrets } from '../domain/redact.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import { damageReply, delayByFault, takeOperationFault } from './apply-fault.ts';
import { authenticate, authorize, confirmTenant } from './authenticate.ts';
import type {
  CallContext,
  DecidedCall,
  Next,
  Service,
  ServiceOptions,
  ValidCall,
} from './call-context.ts';
import { checkIdempotency, releaseKey, toRemembered } from './idempotency.ts';
import { handlers } from './operations/index.ts';
import type { Handler, OperationCall, Outcome } from './operations/operation.ts';
import { limitRate } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { type Reply, replyTo, requestIdOf } from './reply.ts';
import { logRequest } from './request-log.ts';
import { findRoute, respondToPreflight, routesFor, servePublicDocument } from './routes.ts';
import { callbackFieldOf, toOwnPointers, validate } from './validate.ts';

/** The type of a step's parameter says which steps must already have run. */
type Step = (call: never) => Next | Promise<Next>;

/**
 * The order of checks, as in the contract. It is part of the security model: a caller without valid credentials learns
 * nothing else, and a caller without the right role learns nothing about any record.
 */
const STEPS: readonly Step[] = [
  respondToPreflight,
  servePublicDocument,
  authenticate,
  findRoute,
  authorize,
  limitRate,
  takeOperationFault,
  readBody,
  checkIdempotency,
  delayByFault,
  validate,
  confirmTenant,
  runOperation,
];

/** The whole service as a function from request to reply. It never rejects. */
export function createHandler(
  context: Context,
  options: ServiceOptions,
): (request: Request) => Promise<Reply> {
  const routes = routesFor(options.paths);
  const service: Service = { context, options, routes, runningKeys: new Set() };
  return async (request) => {
    const call = await decide(receive(service, request));
    releaseKey(call);
    const { reply, problem } = replyTo(call);
    logRequest(call, reply.status, problem);
    const damaged = damageReply(call, reply);
    const sent = damaged instanceof Promise ? await damaged : damaged;
    return request.method === 'HEAD' ? { ...sent, body: null } : sent;
  };
}

function receive(service: Service, request: Request): CallContext {
  const { clock } = service.context.ports;
  const { basePath } = service.options;
  const url = new URL(request.url);
  const isUnderBase = basePath !== '' && url.pathname.startsWith(`${basePath}/`);
  return {
    service,
    request,
    url,
    path: isUnderBase ? url.pathname.slice(basePath.length) : url.pathname,
    receivedAt: clock.now(),
    lifetime: service.context.scheduler.lifetime,
    headers: {},
  };
}

/** Runs the steps until one sets the outcome. */
async function decide(received: CallContext): Promise<DecidedCall> {
  let call = received;
  try {
    for (const step of STEPS) {
      const returned = step(call as never);
      // Awaiting a value that is not a promise would let parallel calls overtake each other between steps.
      const next = returned instanceof Promise ? await returned : returned;
      call = isRejection(next) ? { ...call, outcome: next } : next;
      if (call.outcome) break;
    }
  } catch (error) {
    // The error response itself is never damaged.
    const { effect: _, ...undamaged } = call;
    call = { ...undamaged, outcome: failureOf(call, error) };
  }
  if (!call.outcome) throw new TypeError('No step decided the call.');
  return { ...call, requestId: call.requestId ?? requestIdOf(call), outcome: call.outcome };
}

function failureOf({ lifetime, service }: CallContext, error: unknown): Rejection {
  if (lifetime.aborted) {
    return reject('unavailable', 'The service was reset during the request. Retry.', {
      retryAfterMs: 1000,
    });
  }
  service.options.onError(error);
  return reject('internal_error', 'The service failed. The request can be retried.');
}

/** Step: runs the operation. */
function runOperation(call: ValidCall): Next | Promise<Next> {
  const handler = handlers[call.route.operation] as Handler;
  const decided = (outcome: Outcome): Next => ({
    ...call,
    outcome: isRejection(outcome) ? toOwnPointers(outcome, callbackFieldOf(call)) : outcome,
  });
  const outcome = handler(operationCallOf(call));
  return outcome instanceof Promise ? outcome.then(decided) : decided(outcome);
}

function operationCallOf(call: ValidCall): OperationCall {
  const { service, principal, route, input, heldKey, idempotencyKey, lifetime } = call;
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
    webhookUrlField: options.webhookUrlField ?? 'webhookUrl',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    write,
    commit: (work) =>
      write(() => {
        const result = work();
        const remembered = heldKey && toRemembered(result);
        if (remembered) heldKey.remember(remembered);
        return result;
      }),
    rememberStream(generation) {
      heldKey?.remember({ status: 200, stream: generation.id });
    },
  };
}
