import { piecesOf, streamOf } from '../api/pieces.ts';
import { internalsOf } from '../composition/internals.ts';
import { onAbort } from '../domain/listeners.ts';
import { isEventStream } from '../stores/durable.ts';
import type { CrashPoints } from './crash-points.ts';
import type { Instances } from './instances.ts';
import type { Life } from './life.ts';
import { notePaidRequest, type PaidRequest } from './paid-request.ts';
import type { Simulation } from './simulation.ts';

/** A connection on which nothing arrives breaks after this long. */
const DEAD_CONNECTION_MS = 900_000;
const LONGEST_TRAVEL_MS = 5_000;

export type SimulatedFetch = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response>;

interface Exchange {
  readonly life: Life | undefined;
  readonly what: string;
  /** What the other side does once the request has arrived. */
  readonly handle: () => Promise<Response>;
  readonly paid?: PaidRequest | undefined;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
  /** The caller has given up. */
  over: boolean;
}

export interface Network {
  /** A `fetch` that reaches the service, for one instance or for `run`. */
  fetchFor(life: Life | undefined): SimulatedFetch;
  /** Sends a request, whose other side is `handle`; every fault of a connection can hit it. */
  exchange(
    life: Life | undefined,
    what: string,
    handle: () => Promise<Response>,
    options?: { signal?: AbortSignal | null; paid?: () => PaidRequest | undefined },
  ): Promise<Response>;
}

export function createNetwork(
  simulation: Simulation,
  instances: Instances<unknown>,
  crashPoints: CrashPoints,
): Network {
  const { choices, steps, trace } = simulation;
  const nameOf = (life: Life | undefined) => life?.name ?? 'run';

  function noteFailure({ paid }: Exchange): void {
    if (paid) paid.failedAt ??= simulation.paid.size;
  }

  function fail(exchange: Exchange): void {
    noteFailure(exchange);
    exchange.reject(new TypeError('fetch failed'));
  }

  function depart(exchange: Exchange): void {
    const { life, what, over } = exchange;
    if (over || (life && crashesOnDeparture(life, exchange))) return;
    // What is sent is work, even if it never arrives.
    if (methodOf(what) !== 'GET') simulation.changed();
    const { unreachable, stall, loseAnswer } = simulation.chaos;
    const fault = choices.weighted(what, [unreachable, stall / 2, stall / 2, loseAnswer]);
    if (fault === 1) breakOff(exchange, 'unreachable');
    else if (fault === 2) stallFor(exchange, false);
    else if (fault === 3) stallFor(exchange, true);
    else if (fault === 4) breakOff(exchange, 'loseAnswer');
    else travel(`${what} arrives`, undefined, () => void arrive(exchange));
  }

  function crashesOnDeparture(life: Life, exchange: Exchange): boolean {
    const { what } = exchange;
    const fault = crashPoints.chooseFault(life, `${what} sent`);
    if (fault === 'pause') crashPoints.pause(life, what);
    if (fault === undefined || fault === 'pause') return false;
    // The request might already have left.
    if (fault === 'crash after') void serve(exchange).then(discard);
    instances.crash(life, `${fault === 'crash after' ? 'after' : 'before'} ${what}`);
    return true;
  }

  /** Messages can overtake each other. */
  function travel(what: string, life: Life | undefined, run: () => void): void {
    if (choices.chance('reorder', simulation.chaos.reorder)) {
      const ms = choices.upTo('travel', LONGEST_TRAVEL_MS);
      simulation.injected('reorder', methodOf(what));
      simulation.after(ms, { life, what, run });
    } else steps.add({ life, what, run });
  }

  async function arrive(exchange: Exchange): Promise<void> {
    const { life, what } = exchange;
    const response = await serve(exchange);
    travel(`${what} responded`, life, () => hand(exchange, response));
  }

  /** The caller gets the response, unless it has given up or its instance crashes. */
  function hand(exchange: Exchange, response: Response): void {
    const { life, what, over, paid } = exchange;
    const fault = over ? undefined : life && crashPoints.chooseFault(life, `${what} responded`);
    const isCrash = life && fault && fault !== 'pause';
    if (isCrash) instances.crash(life, `before it read the response to ${what}`);
    if (over || isCrash) {
      discard(response);
      return;
    }
    trace.add(nameOf(life), `${what} ← ${response.status}`);
    if (paid && response.ok) paid.responded = true;
    const run = () => exchange.resolve(life ? heldBy(life, response) : response);
    if (life && fault === 'pause') {
      crashPoints.pause(life, what);
      steps.at(life.pausedUntil, { life, what, run });
    } else run();
  }

  /** The service does its work, no matter what becomes of the caller. */
  async function serve({ life, what, handle, paid }: Exchange): Promise<Response> {
    const response = await simulation.serve(handle());
    if (paid && response.ok) paid.acceptedAs.add(response.headers.get('x-request-id') ?? '');
    trace.add('service', `${what} of ${nameOf(life)} → ${response.status}`);
    return response;
  }

  function breakOff(exchange: Exchange, fault: 'unreachable' | 'loseAnswer'): void {
    const { life, what } = exchange;
    simulation.injected(fault, methodOf(what));
    const leave = () =>
      travel(`${what} fails`, life, () => {
        trace.fault(nameOf(life), `${what} ← ${fault}`);
        fail(exchange);
      });
    if (fault === 'loseAnswer') void serve(exchange).then(discard).then(leave);
    else leave();
  }

  function stallFor(exchange: Exchange, isServed: boolean): void {
    const { life, what } = exchange;
    simulation.injected('stall', methodOf(what));
    trace.fault(nameOf(life), `${what} ← stall${isServed ? '' : ', the request is lost too'}`);
    if (isServed) void serve(exchange).then(discard);
    const run = () => fail(exchange);
    simulation.after(DEAD_CONNECTION_MS, { life, what: `${what} breaks`, run });
  }

  const exchange: Network['exchange'] = (life, what, handle, { signal, paid } = {}) => {
    if (simulation.observing) return handle();
    return new Promise((resolve, reject) => {
      const sent = { life, what, handle, paid: paid?.(), resolve, reject, over: false };
      if (!signal?.aborted) steps.add({ life, what, run: () => depart(sent) });
      if (!signal) return;
      onAbort(signal, () => {
        sent.over = true;
        noteFailure(sent);
        reject(signal.reason);
      });
    });
  };

  return {
    exchange,
    fetchFor(life) {
      const { server } = simulation.service;
      const base = server.baseUrl.replace(/\/v2$/, '');
      return (input, init) => {
        const { signal = null, ...rest } = init ?? {};
        const request = new Request(input, rest);
        const { pathname, origin } = new URL(request.url);
        if (!request.url.startsWith(`${base}/`)) {
          const message = `Failed to fetch ${origin}: a simulation can reach only the reference server.`;
          return Promise.reject(new TypeError(message));
        }
        const handle = () => internalsOf(server).handle(request);
        const paid = () => notePaidRequest(simulation.paid, request, rest.body, life);
        const what = `${request.method} ${pathname.replace(/^\/(v2\/)?/, '/')}`;
        return exchange(life, what, handle, { signal, paid });
      };
    },
  };
}

const methodOf = (what: string): string => what.split(' ', 1)[0] as string;

/** Nobody reads the response: the service sees that the connection has ended. */
function discard({ body }: Response): void {
  if (!body?.locked) void body?.cancel().catch(() => {});
}

/** A stream whose connection ends when the instance that reads it crashes. */
function heldBy(life: Life, response: Response): Response {
  const { body } = response;
  if (!body || !isEventStream(response)) return response;
  const pieces = piecesOf(body);
  if (life.alive) life.onEnd.add(pieces.cancel);
  else pieces.cancel();
  const read = async () => {
    const piece = await pieces.read();
    // A crashed instance reads nothing more.
    return life.alive ? piece : new Promise<never>(() => {});
  };
  return new Response(streamOf({ ...pieces, read }), response);
}
