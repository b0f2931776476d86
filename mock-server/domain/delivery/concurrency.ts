import type { StopSignal } from '../stop.ts';
import { Line, type Place } from './line.ts';

/** How many attempts may run at once. */
export interface LaneLimits {
  /** To one endpoint that answers. @default 50 */
  readonly perEndpoint: number;
  /** To all endpoints in good standing together. @default 500 */
  readonly trusted: number;
  /** To all endpoints whose last attempt failed together. @default 100 */
  readonly suspect: number;
}

const defaultLimits: LaneLimits = { perEndpoint: 50, trusted: 500, suspect: 100 };

/** Gives the place back; says whether the attempt succeeded. */
export type Leave = (succeeded: boolean) => void;

/** Who may send now. */
export interface Lanes {
  /** Takes a place, at once if there is one; undefined when the signal aborts first. */
  enter(
    endpoint: string,
    suspect: boolean,
    signal: StopSignal,
  ): Leave | Promise<Leave | undefined> | undefined;
}

interface Lane {
  readonly limit: number;
  active: number;
  /** Endpoints that could send at once, in turn. */
  readonly ready: Line<Endpoint>;
}

interface Endpoint {
  readonly key: string;
  suspect: boolean;
  active: number;
  /** How many at once: doubles with every success, back to one after a failure. */
  window: number;
  readonly waiting: Line<() => void>;
  /** Its place in a lane's turn, while it could send at once. */
  turn: { readonly lane: Lane; readonly place: Place<Endpoint> } | undefined;
}

/**
 * Shares places fairly among endpoints, those that fail in a lane of their own.
 *
 * A dead endpoint holds one place of the trusted lane until its first attempt has failed, and none from then on: that
 * is what keeps it from delaying others.
 */
export function createLanes(limits: LaneLimits = defaultLimits): Lanes {
  const trusted: Lane = { limit: limits.trusted, active: 0, ready: new Line() };
  const suspects: Lane = { limit: limits.suspect, active: 0, ready: new Line() };
  const endpoints = new Map<string, Endpoint>();
  const laneOf = (endpoint: Endpoint): Lane => (endpoint.suspect ? suspects : trusted);

  /** Puts an endpoint where it belongs now: in one lane's turn, in none, or out of memory. */
  function place(endpoint: Endpoint): void {
    const { waiting, active, window, turn } = endpoint;
    const lane = waiting.length > 0 && active < window ? laneOf(endpoint) : undefined;
    if (turn?.lane !== lane) {
      turn?.lane.ready.leave(turn.place);
      endpoint.turn = lane && { lane, place: lane.ready.join(endpoint) };
    }
    if (waiting.length === 0 && active === 0) endpoints.delete(endpoint.key);
  }

  /** To the end of the line. */
  function yieldTurn(endpoint: Endpoint): void {
    endpoint.turn?.lane.ready.leave(endpoint.turn.place);
    endpoint.turn = undefined;
    place(endpoint);
  }

  function pump(lane: Lane): void {
    while (lane.active < lane.limit) {
      const endpoint = lane.ready.first;
      const start = endpoint?.waiting.shift();
      if (!endpoint || !start) return;
      lane.active += 1;
      endpoint.active += 1;
      yieldTurn(endpoint);
      start();
    }
  }

  function leaveFrom(lane: Lane, endpoint: Endpoint): Leave {
    return (succeeded) => {
      lane.active -= 1;
      endpoint.active -= 1;
      endpoint.suspect = !succeeded;
      endpoint.window = succeeded ? Math.min(endpoint.window * 2, limits.perEndpoint) : 1;
      place(endpoint);
      pump(trusted);
      pump(suspects);
    };
  }

  function endpointOf(key: string, suspect: boolean): Endpoint {
    const known = endpoints.get(key);
    if (known) return known;
    const waiting = new Line<() => void>();
    const endpoint = { key, suspect, active: 0, window: 1, waiting, turn: undefined };
    endpoints.set(key, endpoint);
    return endpoint;
  }

  /** Waits in the endpoint's line for a place. */
  function wait(endpoint: Endpoint, signal: StopSignal): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(leaveFrom(laneOf(endpoint), endpoint));
      };
      const giveUp = () => {
        endpoint.waiting.leave(waiting);
        place(endpoint);
        resolve(undefined);
      };
      const waiting = endpoint.waiting.join(start);
      signal.addEventListener('abort', giveUp, { once: true });
      place(endpoint);
      pump(laneOf(endpoint));
    });
  }

  return {
    enter(key, suspect, signal) {
      if (signal.aborted) return undefined;
      const endpoint = endpointOf(key, suspect);
      const lane = laneOf(endpoint);
      // Nobody waits before it: neither at this endpoint, nor in the lane, whose turns are all taken at once.
      const free = endpoint.waiting.length === 0 && endpoint.active < endpoint.window;
      if (!free || lane.active >= lane.limit) return wait(endpoint, signal);
      lane.active += 1;
      endpoint.active += 1;
      return leaveFrom(lane, endpoint);
    },
  };
}
