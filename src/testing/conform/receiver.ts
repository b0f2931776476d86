/** A delivery as it arrived. */
export interface ReceivedDelivery {
  /** The value of `conform` in the URL: which request it belongs to. */
  readonly mark: string | null;
  /** The headers, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body, byte for byte. */
  readonly body: Uint8Array;
}

/** Receives what a service posts while it is examined. */
export interface ConformanceReceiver {
  /** The address at which the service reaches `handle`. */
  readonly url: string;
  /** What arrived so far, oldest first. */
  readonly deliveries: readonly ReceivedDelivery[];
  /** The fetch handler to serve at `url`. */
  handle(request: Request): Promise<Response>;
}

/**
 * Creates the receiver with which `runConformance` sees callbacks. Serve its `handle` at `url`, an address that the
 * service can reach.
 *
 * @example
 * const receiver = createConformanceReceiver('https://tunnel.example/callbacks');
 * createServer(toNodeHandler(receiver.handle)).listen(3000);
 */
export function createConformanceReceiver(url: string): ConformanceReceiver {
  const deliveries: ReceivedDelivery[] = [];
  return {
    url,
    deliveries,
    async handle(request) {
      const mark = new URL(request.url).searchParams.get('conform');
      // Only looks whether the address leads here.
      if (request.method !== 'POST') return new Response(undefined, { status: 204 });
      const body = new Uint8Array(await request.arrayBuffer());
      deliveries.push({ mark, headers: [...request.headers], body });
      return new Response(undefined, { status: 200 });
    },
  };
}
