import type { Context } from '../domain/context.ts';
import type { Hold } from '../domain/holds.ts';
import { isRejection, reject } from '../domain/rejection.ts';
import { damageReply, delayByFault, injectedRejection, takeOperationFault } from './apply-fault.ts';
import { authenticate, authorize } from './authenticate.ts';
import type { Call, CallOutcome, Findings, ReadyCall, Service, ServiceOptions } from './call.ts';
import { standStill, takeHold } from './hold-call.ts';
import { claimKey, idempotencyKeyOf, releaseKey } from './idempotency.ts';
import { handlers } from './operations/index.ts';
import { type Handler, type Outcome, operationCallOf } from './operations/operation.ts';
import { isPieces } from './pieces.ts';
import { respondToPreflight, servePublicDocument } from './public-documents.ts';
import { limitRate } from './rate-limit.ts';
import { parseBody, readBody } from './read-body.ts';
import { replay } from './replay.ts';
import { type Reply, replyTo, requestIdOf } from './reply.ts';
import { logRequest } from './request-log.ts';
import { createRoutes, findRoute } from './routes.ts';
import { toOwnPointers, validate } from './validate.ts';

/** The whole service as a function from request to reply. It never rejects. */
export function createHandler(
  context: Context,
  options: ServiceOptions,
): (request: Request) => Promise<Reply> {
  const routes = createRoutes(options.deployment);
  const service: Service = { context, options, routes, runningKeys: new Map() };
  return (request) => handleRequest(service, request);
}

async function handleRequest(service: Service, request: Request): Promise<Reply> {
  const call = receive(service, request);
  const findings: Findings = {};

  let outcome: CallOutcome;
  try {
    outcome = await decide(call, findings);
  } catch (error) {
    outcome = failed(call, error);
    // A fault never damages the response to an unexpected error.
    findings.effect = undefined;
  }
  const requestId = findings.requestId ?? requestIdOf(call);
  releaseKey(findings.heldKey, outcome);

  const { reply, problem } = replyTo(call, findings, requestId, outcome);
  logRequest(call, findings, requestId, reply.status, problem);

  const damaged = damageReply(call, findings.effect, reply);
  const { status, headers, body, broken } = damaged instanceof Promise ? await damaged : damaged;
  const isHead = request.method === 'HEAD';
  if (isHead && isPieces(body)) body.cancel();
  return { status, headers, body: isHead ? null : body, broken };
}

/**
 * The order of checks, as in the contract. It is part of the security model: a caller without valid credentials learns
 * nothing else, and a caller without the right role learns nothing about any record. Each step takes what earlier ones
 * returned, so a wrong order does not compile. Only promises are awaited: awaiting another value would let parallel calls
 * overtake each other between the steps.
 */
async function decide(call: Call, findings: Findings): Promise<CallOutcome> {
  const preflight = respondToPreflight(call);
  if (preflight) return preflight;
  const document = servePublicDocument(call);
  if (document) return document;

  const identified = authenticate(call);
  const principal = identified instanceof Promise ? await identified : identified;
  if (isRejection(principal)) return principal;
  findings.principal = principal;
  findings.requestId = requestIdOf(call, principal);

  const route = findRoute(call, principal);
  if (isRejection(route)) return route;
  findings.route = route;

  const permit = authorize(call, principal, route);
  if (isRejection(permit)) return permit;

  const admission = limitRate(call, permit);
  if (isRejection(admission)) return admission;
  findings.rateHeaders = admission.rateHeaders;

  const effect = takeOperationFault(call, admission);
  findings.effect = effect;
  const injected = effect && injectedRejection(effect);
  if (injected) return injected;

  const reading = readBody(call, admission);
  const read = reading instanceof Promise ? await reading : reading;
  if (isRejection(read)) return read;
  findings.bytes = read.bytes;

  const key = idempotencyKeyOf(call);
  const claim = claimKey(call, read, key);
  if (isRejection(claim)) return claim;
  if (claim.kind !== 'new') return replay(call, claim);
  findings.heldKey = claim.heldKey;

  const delay = delayByFault(call, effect);
  if (delay) await delay;

  const parsed = parseBody(read.bytes);
  if (isRejection(parsed)) return parsed;
  findings.text = parsed.text;
  const ready = validate(call, claim, parsed);
  if (isRejection(ready)) return ready;

  const hold = takeHold(call, ready, key);
  const standing = hold && standStill(call, hold);
  const failed = standing && (await standing);
  return failed ?? runOperation(call, ready, findings.requestId, hold);
}

function runOperation(
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

function receive(service: Service, request: Request): Call {
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
  };
}

function failed({ service, lifetime }: Call, error: unknown): CallOutcome {
  if (lifetime.aborted) {
    const detail = 'The service was reset during the request. Retry.';
    return reject('unavailable', detail, { retryAfterMs: 1000 });
  }
  service.options.onError(error);
  return reject('internal_error', 'The service failed. The request can be retried.');
}
