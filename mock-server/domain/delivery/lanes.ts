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
    signal: AbortSignal,
  ): Leave | Promise<Leave | undefined> | undefined;
}

interface Lane {
  readonly limit: number;
  active: number;
  /** Endpoints that could send at once, in turn. */
  readonly ready: Set<Endpoint>;
}

interface Endpoint {
  readonly key: string;
  suspect: boolean;
  active: number;
  /** How many at once: doubles with every success, back to one after a failure. */
  window: number;
  readonly waiting: Set<() => void>;
}

/**
 * Shares places fairly among endpoints, those that fail in a lane of their own.
 *
 * A dead endpoint holds one place of the trusted lane until its first attempt has failed, and none from then on: that
 * is what keeps it from delaying others.
 */
export function createLanes(limits: LaneLimits = defaultLimits): Lanes {
  const trusted: Lane = { limit: limits.trusted, active: 0, ready: new Set() };
  const suspects: Lane = { limit: limits.suspect, active: 0, ready: new Set() };
  const endpoints = new Map<string, Endpoint>();

  /** Puts an endpoint where it belongs now: in one lane's turn, in none, or out of memory. */
  function place(endpoint: Endpoint): void {
    const [lane, other] = endpoint.suspect ? [suspects, trusted] : [trusted, suspects];
    other.ready.delete(endpoint);
    if (endpoint.waiting.size > 0 && endpoint.active < endpoint.window) lane.ready.add(endpoint);
    else lane.ready.delete(endpoint);
    if (endpoint.waiting.size === 0 && endpoint.active === 0) endpoints.delete(endpoint.key);
  }

  function pump(lane: Lane): void {
    for (const endpoint of lane.ready) {
      if (lane.active >= lane.limit) return;
      const [start] = endpoint.waiting;
      endpoint.waiting.delete(start as () => void);
      lane.active += 1;
      endpoint.active += 1;
      // Out and in again: to the end of the line, which this very loop then reaches.
      lane.ready.delete(endpoint);
      place(endpoint);
      start?.();
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

  return {
    enter(key, suspect, signal) {
      if (signal.aborted) return undefined;
      let endpoint = endpoints.get(key);
      if (!endpoint) {
        endpoint = { key, suspect, active: 0, window: 1, waiting: new Set() };
        endpoints.set(key, endpoint);
      }
      const entered = endpoint;
      const lane = entered.suspect ? suspects : trusted;
      // Nobody waits before it: neither at this endpoint, nor in the lane, whose turns are all taken at once.
      if (
        entered.waiting.size === 0 &&
        entered.active < entered.window &&
        lane.active < lane.limit
      ) {
        lane.active += 1;
        entered.active += 1;
        return leaveFrom(lane, entered);
      }
      return new Promise((resolve) => {
        const start = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(leaveFrom(entered.suspect ? suspects : trusted, entered));
        };
        const giveUp = () => {
          entered.waiting.delete(start);
          place(entered);
          resolve(undefined);
        };
        signal.addEventListener('abort', giveUp, { once: true });
        entered.waiting.add(start);
        place(entered);
        pump(entered.suspect ? suspects : trusted);
      });
    },
  };
}
