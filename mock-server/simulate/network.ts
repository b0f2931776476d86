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

/** A request on its way, and its response. */
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

/** The network between the application and the services that it calls. */
export class Network {
  readonly #simulation: Simulation;
  readonly #instances: Instances<unknown>;
  readonly #crashPoints: CrashPoints;

  constructor(simulation: Simulation, instances: Instances<unknown>, crashPoints: CrashPoints) {
    this.#simulation = simulation;
    this.#instances = instances;
    this.#crashPoints = crashPoints;
  }

  /** A `fetch` that reaches the service, for one instance or for `run`. */
  fetchFor(life: Life | undefined): SimulatedFetch {
    const { server } = this.#simulation.service;
    const base = server.baseUrl.replace(/\/v2$/, '');
    return (input, init) => {
      const { signal = null, ...rest } = init ?? {};
      const request = new Request(input, rest);
      const { pathname, origin } = new URL(request.url);
      if (!request.url.startsWith(`${base}/`)) {
        const message = `Failed to fetch ${origin}: a simulation can reach only the reference server.`;
        return Promise.reject(new TypeError(message));
      }
      const handle = () => {
        if (request.method !== 'GET') this.#simulation.changed();
        return server.handle(request);
      };
      const paid = () => notePaidRequest(this.#simulation.paid, request, rest.body, life);
      const what = `${request.method} ${pathname.replace(/^\/(v2\/)?/, '/')}`;
      return this.exchange(life, what, handle, { signal, paid });
    };
  }

  /** Sends a request, whose other side is `handle`; every fault of a connection can hit it. */
  exchange(
    life: Life | undefined,
    what: string,
    handle: () => Promise<Response>,
    { signal, paid }: { signal?: AbortSignal | null; paid?: () => PaidRequest | undefined } = {},
  ): Promise<Response> {
    if (this.#simulation.observing) return handle();
    return new Promise((resolve, reject) => {
      const exchange = { life, what, handle, paid: paid?.(), resolve, reject, over: false };
      if (!signal?.aborted)
        this.#simulation.steps.add({ life, what, run: () => this.#depart(exchange) });
      if (!signal) return;
      onAbort(signal, () => {
        exchange.over = true;
        this.#failed(exchange);
        reject(signal.reason);
      });
    });
  }

  #failed({ paid }: Exchange): void {
    if (paid) paid.failedAt ??= this.#simulation.paid.size;
  }

  #depart(exchange: Exchange): void {
    const { life, what, over } = exchange;
    if (over || (life && this.#crashesOnDeparture(life, exchange))) return;
    const { unreachable, stall, loseAnswer } = this.#simulation.chaos;
    const weights = [unreachable, stall / 2, stall / 2, loseAnswer];
    const fault = this.#simulation.choices.weighted(what, weights);
    if (fault === 1) this.#breakOff(exchange, 'unreachable');
    else if (fault === 2) this.#stall(exchange, false);
    else if (fault === 3) this.#stall(exchange, true);
    else if (fault === 4) this.#breakOff(exchange, 'loseAnswer');
    else this.#travel(`${what} arrives`, undefined, () => void this.#arrive(exchange));
  }

  #crashesOnDeparture(life: Life, exchange: Exchange): boolean {
    const { what } = exchange;
    const fault = this.#crashPoints.chooseFault(life, `${what} sent`);
    if (fault === 'pause') this.#crashPoints.pause(life, what);
    if (fault === undefined || fault === 'pause') return false;
    // The request might already have left.
    if (fault === 'crash after') void this.#serve(exchange).then(discard);
    this.#instances.crash(life, `${fault === 'crash after' ? 'after' : 'before'} ${what}`);
    return true;
  }

  /** Messages can overtake each other. */
  #travel(what: string, life: Life | undefined, run: () => void): void {
    const { choices, chaos, steps } = this.#simulation;
    if (choices.chance('reorder', chaos.reorder)) {
      const ms = choices.upTo('travel', LONGEST_TRAVEL_MS);
      this.#simulation.injected('reorder', methodOf(what));
      steps.at(this.#simulation.now() + ms, { life, what, run });
    } else steps.add({ life, what, run });
  }

  async #arrive(exchange: Exchange): Promise<void> {
    const { life, what } = exchange;
    const response = await this.#serve(exchange);
    this.#travel(`${what} responded`, life, () => this.#deliver(exchange, response));
  }

  #deliver(exchange: Exchange, response: Response): void {
    const { life, what, over, paid } = exchange;
    const fault = over
      ? undefined
      : life && this.#crashPoints.chooseFault(life, `${what} responded`);
    const isCrash = life && fault && fault !== 'pause';
    if (isCrash) this.#instances.crash(life, `before it read the response to ${what}`);
    if (over || isCrash) {
      discard(response);
      return;
    }
    this.#simulation.trace.add(life?.name ?? 'run', `${what} ← ${response.status}`);
    if (paid && response.ok) paid.responded = true;
    const run = () => exchange.resolve(life ? heldBy(life, response) : response);
    if (life && fault === 'pause') {
      this.#crashPoints.pause(life, what);
      this.#simulation.steps.at(life.pausedUntil, { life, what, run });
    } else run();
  }

  /** The service does its work, no matter what becomes of the caller. */
  async #serve({ life, what, handle, paid }: Exchange): Promise<Response> {
    const response = await this.#simulation.serve(handle());
    if (paid && response.ok) paid.accepted = true;
    const name = life?.name ?? 'run';
    this.#simulation.trace.add('service', `${what} of ${name} → ${response.status}`);
    return response;
  }

  #breakOff(exchange: Exchange, fault: 'unreachable' | 'loseAnswer'): void {
    const { life, what } = exchange;
    this.#simulation.injected(fault, methodOf(what));
    const failed = () => {
      this.#simulation.trace.fault(life?.name ?? 'run', `${what} ← ${fault}`);
      this.#failed(exchange);
      exchange.reject(new TypeError('fetch failed'));
    };
    const fail = () => this.#travel(`${what} fails`, life, failed);
    if (fault === 'loseAnswer') void this.#serve(exchange).then(discard).then(fail);
    else fail();
  }

  #stall(exchange: Exchange, isServed: boolean): void {
    const { life, what } = exchange;
    const { trace, steps, now } = this.#simulation;
    this.#simulation.injected('stall', methodOf(what));
    trace.fault(
      life?.name ?? 'run',
      `${what} ← stall${isServed ? '' : ', the request is lost too'}`,
    );
    if (isServed) void this.#serve(exchange).then(discard);
    const run = () => {
      this.#failed(exchange);
      exchange.reject(new TypeError('fetch failed'));
    };
    steps.at(now() + DEAD_CONNECTION_MS, { life, what: `${what} breaks`, run });
  }
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
  const reader = body.getReader();
  const end = () => void reader.cancel().catch(() => {});
  if (life.alive) life.onEnd.add(end);
  else end();
  return new Response(
    new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read();
          // A crashed instance reads nothing more.
          if (!life.alive) return new Promise<void>(() => {});
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    ),
    response,
  );
}
