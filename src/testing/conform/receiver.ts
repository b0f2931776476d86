import { now } from '../../platform/driver.ts';

/** A delivery as it arrived. */
export interface ReceivedDelivery {
  /** When it arrived, ms since 1970. */
  readonly at: number;
  /** The method of the request: `POST`. */
  readonly method: string;
  /** The value of `conform` in the URL: which request it belongs to. */
  readonly mark: string | null;
  /** The headers, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, byte for byte. */
  readonly body: Uint8Array;
}

/** Receives what a service posts while it is judged. */
export interface ConformanceReceiver {
  /** The address at which the service reaches `handle`. */
  readonly url: string;
  /** What arrived so far, oldest first. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** The fetch handler to serve at `url`. It answers the first result callback with 500, to see whether it is repeated. */
  handle(request: Request): Promise<Response>;
}

/**
 * Creates the receiver that the clauses about callbacks need. Serve its `handle` at `url`, an address that the service
 * can reach.
 *
 * @example
 * const receiver = createConformanceReceiver('https://tunnel.example/callbacks');
 * createServer(toNodeHandler(receiver.handle)).listen(3000);
 */
export function createConformanceReceiver(
  url: string,
  clock: {
    /** The time, ms since 1970. */
    now(): number;
  } = { now },
): ConformanceReceiver {
  const deliveries: ReceivedDelivery[] = [];
  return {
    url,
    deliveries,
    async handle(request) {
      const { method } = request;
      const body = new Uint8Array(await request.arrayBuffer());
      const mark = new URL(request.url).searchParams.get('conform');
      // Only looks whether the address leads here.
      const isProbe = mark === 'probe' || method === 'GET' || method === 'HEAD';
      if (isProbe) return new Response(undefined, { status: 204 });
      const isFirst = mark !== 'event' && deliveries.every((one) => one.mark === 'event');
      deliveries.push({ at: clock.now(), method, mark, headers: [...request.headers], body });
      return new Response(undefined, { status: isFirst ? 500 : 200 });
    },
  };
}
