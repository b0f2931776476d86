import type { Context } from '../domain/context.ts';
import { takeFault } from '../domain/faults.ts';
import { newId } from '../domain/ids.ts';
import type { Fault, RequestEntry } from '../domain/records.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import { damaged, delayOf, statusFaultOf } from './apply-fault.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import type { RunningCalls } from './idempotency.ts';
import { openDocument, openMethods } from './open-documents.ts';
import type { Principal } from './principal.ts';
import { type Problem, problemOf } from './problem.ts';
import { type RateState, takeToken } from './rate-limit.ts';
import { corsHeaders, jsonReply, preflightReply, type Reply } from './reply.ts';
import { loggable, logRequest } from './request-log.ts';
import { createRoutes, operationDetails, type Paths, type Route } from './routes.ts';
import { runOperation } from './run-operation.ts';
import { NO_REQUEST_ID } from './unavailable.ts';
import type { AnswerFacts, Witness } from './witness.ts';

export interface HandlerOptions {
  readonly paths?: Paths;
  /** @default 'webhookUrl' */
  readonly webhookUrlField?: string;
  /** @default 'Authorization' */
  readonly accessTokenHeader?: string;
  /** Path that stands before every operation's, without a version prefix. */
  readonly basePath: string;
  /** The contract's text, where it can be read. */
  readonly contract: () => string | undefined;
  /** Passes wall time for a fault that delays; at once for 0. */
  readonly holdBack: (ms: number, signal: AbortSignal) => Promise<void> | undefined;
  /** Told of every answered request. */
  readonly onRequest: (entry: RequestEntry) => void;
  /** Told of errors that no rule foresees; the caller gets a 500 without them. */
  readonly onError: (error: unknown) => void;
  readonly witness?: Witness | undefined;
}

export interface Trace {
  readonly at: number;
  principal?: Principal;
  route?: Route;
  /** Of the fault that struck. */
  effect?: Fault['effect'];
  requestId?: string;
  idempotencyKey?: string;
  body?: unknown;
  /** Length of the body. */
  bytes?: number;
  problem?: Problem['body'];
  headers?: Readonly<Record<string, string>>;
}

const OWN_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

function rateHeaders(rate: RateState | undefined): Record<string, string> {
  if (!rate) return {};
  return {
    'ratelimit-policy': `"default";q=${rate.limit};w=${rate.windowSeconds}`,
    ratelimit: `"default";r=${rate.left};t=${rate.resetSeconds}`,
  };
}

const factsOf = ({ route, effect }: Trace): AnswerFacts => ({
  ...(route && { operation: route.operation }),
  ...(effect && { effect }),
});

/** The whole service as one function: a request in, a reply out. Rejects never. */
export function createHandler(
  context: Context,
  options: HandlerOptions,
): (request: Request) => Promise<Reply> {
  const routes = createRoutes(options.paths);
  const tokenHeader = options.accessTokenHeader ?? 'Authorization';
  const { basePath } = options;
  const running: RunningCalls = new Set();

  function tokenOf(request: Request): string | null | undefined {
    const value = request.headers.get(tokenHeader);
    if (value === null) return undefined;
    const bearer = /^bearer +(\S+) *$/i.exec(value);
    if (bearer) return bearer[1];
    return tokenHeader.toLowerCase() === 'authorization' ? null : value;
  }

  function localPath(pathname: string): string {
    const under = basePath !== '' && pathname.startsWith(`${basePath}/`);
    return under ? pathname.slice(basePath.length) : pathname;
  }

  function requestIdOf(request: Request, trace: Trace, lifetime: AbortSignal): string {
    const own = request.headers.get('x-request-id');
    if (own !== null && OWN_REQUEST_ID.test(own)) return own;
    // A request that a reset overtook may not draw from the new life's ids.
    if (lifetime.aborted) return NO_REQUEST_ID;
    return newId(context, 'req', trace.principal?.rngStream ?? 0);
  }

  /** The order of checks is the contract's: who lacks credentials learns nothing else. */
  async function admit(request: Request, url: URL, trace: Trace): Promise<Route | Rejection> {
    const apiKey = request.headers.get('x-api-key') ?? undefined;
    const claimed = authenticate(context, { apiKey, token: tokenOf(request) });
    const principal = claimed instanceof Promise ? await claimed : claimed;
    if (isRejection(principal)) return principal;
    trace.principal = principal;
    const path = localPath(url.pathname);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = routes.find(method, path);
    if (!route) {
      const allowed = [...routes.allowed(path), ...(method === 'GET' ? [] : openMethods(path))];
      trace.headers = rateHeaders(takeToken(context, principal, 0));
      if (allowed.length === 0) return reject('not_found', 'No such path.');
      const allow = allowed.join(', ');
      trace.headers = { ...trace.headers, allow };
      return reject('method_not_allowed', `The path answers ${allow}.`);
    }
    trace.route = route;
    const forbidden = authorize(principal, operationDetails[route.operation].role);
    const rate = takeToken(context, principal, forbidden ? 0 : 1);
    trace.headers = rateHeaders(rate);
    return forbidden ?? rate?.rejected ?? route;
  }

  async function answer(request: Request, url: URL, trace: Trace): Promise<Reply> {
    const lifetime = context.scheduler.lifetime;
    const common = () => ({
      'x-request-id': trace.requestId ?? NO_REQUEST_ID,
      'api-version': '2',
      ...corsHeaders,
      ...trace.headers,
    });
    const refusal = (
      rejected: Rejection,
      status?: number,
      extra?: Record<string, string>,
    ): Reply => {
      trace.requestId ??= requestIdOf(request, trace, lifetime);
      const problem = problemOf(rejected, trace.requestId, status);
      trace.problem = problem.body;
      const headers = { ...common(), ...problem.headers, ...extra };
      return jsonReply(problem.status, problem.body, headers, 'application/problem+json');
    };

    try {
      const preflight =
        request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
      const open = preflight
        ? undefined
        : await openDocument(context, request.method, localPath(url.pathname), options.contract);
      if (preflight || open) {
        trace.requestId = requestIdOf(request, trace, lifetime);
        return open ? open(common()) : preflightReply(request, common());
      }
      const route = await admit(request, url, trace);
      trace.requestId = requestIdOf(request, trace, lifetime);
      if (isRejection(route)) return refusal(route);

      const rngStream = trace.principal?.rngStream ?? 0;
      const effect = takeFault(context, 'operation', route.operation, rngStream);
      if (effect) trace.effect = effect;
      const struck = statusFaultOf(effect);
      if (struck) return refusal(struck.refusal, struck.status);

      const done = await runOperation(request, url, route, trace, {
        context,
        running,
        lifetime,
        webhookUrlField: options.webhookUrlField ?? 'webhookUrl',
        hold: () => options.holdBack(delayOf(effect), lifetime),
      });
      const reply = isRejection(done.answer)
        ? refusal(done.answer, undefined, done.headers)
        : done.reply({ ...common(), ...done.headers });
      return damaged(reply, effect, lifetime);
    } catch (error) {
      if (lifetime.aborted) {
        const again = 'The service was reset while it answered. Try again.';
        return refusal(reject('unavailable', again, { retryAfterMs: 1000 }));
      }
      options.onError(error);
      return refusal(reject('internal_error', 'The service failed to answer.'));
    }
  }

  return async (request) => {
    const lifetime = context.scheduler.lifetime;
    const trace: Trace = { at: context.ports.clock.now() };
    const url = new URL(request.url);
    const reply = await answer(request, url, trace);
    if (!lifetime.aborted) {
      const { principal, route, idempotencyKey } = trace;
      const body = loggable(trace.body);
      const entry = logRequest(context, {
        requestId: trace.requestId ?? NO_REQUEST_ID,
        at: trace.at,
        method: request.method,
        path: url.pathname + url.search,
        ...(route && { operation: route.operation }),
        ...(principal && {
          organization: principal.organization,
          project: principal.project,
          actor: principal.actor,
        }),
        ...(idempotencyKey !== undefined && { idempotent: true as const }),
        ...(body !== undefined && { body, bytes: trace.bytes ?? 0 }),
        status: reply.status,
        ...(trace.problem && { problem: trace.problem as NonNullable<RequestEntry['problem']> }),
      });
      options.onRequest(entry);
    }
    const sent = request.method === 'HEAD' ? { ...reply, body: null } : reply;
    return options.witness ? options.witness(request, sent, factsOf(trace)) : sent;
  };
}
