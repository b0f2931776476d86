import type { Context } from '../domain/context.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import { damageReply, delayByFault, takeOperationFault } from './apply-fault.ts';
import { authenticate, authorize } from './authenticate.ts';
import type { CallContext, DecidedCall, Next, Service, ServiceOptions } from './call-context.ts';
import { checkIdempotency, releaseKey } from './idempotency.ts';
import { respondToPreflight, servePublicDocument } from './public-documents.ts';
import { limitRate } from './rate-limit.ts';
import { readBody } from './read-body.ts';
import { type Reply, replyTo, requestIdOf } from './reply.ts';
import { logRequest } from './request-log.ts';
import { findRoute } from './route.ts';
import { createRoutes } from './routes.ts';
import { runOperation } from './run-operation.ts';
import { validate } from './validate.ts';

/** The type of its parameter says which steps must have run before. */
type Step = (call: never) => Next | Promise<Next>;

/**
 * The order of checks, as in the contract. It is part of the security model: without valid credentials a caller learns
 * nothing else, and without the right role nothing about any record.
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
  runOperation,
];

/** The whole service as a function from request to reply. It never rejects. */
export function createHandler(
  context: Context,
  options: ServiceOptions,
): (request: Request) => Promise<Reply> {
  const routes = createRoutes(options.paths);
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
      // Awaiting what is already there would let parallel calls overtake each other between any two steps.
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
    return reject('unavailable', 'The service was reset during the request. Try again.', {
      retryAfterMs: 1000,
    });
  }
  service.options.onError(error);
  return reject('internal_error', 'The service failed. The request can be tried again.');
}
