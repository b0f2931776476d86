import { onAbort } from '../domain/listeners.ts';
import type { OutboundOutcome, OutboundRequest, Transport } from '../domain/ports.ts';
import { checkCallbackUrl } from '../domain/url-policy.ts';
import { type Failure, timedOut } from './failure.ts';
import { type ConnectTo, createPools, type Pools, type Route, routeTo } from './pools.ts';
import { type OpenPool, post } from './post.ts';
import { type Lookup, literalAddress, resolveTarget, systemLookup } from './resolve-address.ts';

/** Options of the outbound transport. */
export interface OutboundOptions {
  /** Rejects `http:` even on loopback. @default false */
  readonly strictHttps?: boolean;
  /** Also sends to private and loopback addresses, and over `http:`. @default false */
  readonly allowPrivate?: boolean;
  /** Sends to loopback addresses as written; can be switched off later. @default true */
  readonly allowLoopback?: boolean;
  /** Resolves names. @default the system's resolver */
  readonly lookup?: Lookup;
  /** More certificate authorities to trust, in PEM. @default none */
  readonly ca?: string;
  /** Opens connections. @default sockets of the system */
  readonly connectTo?: ConnectTo;
}

/** Sends messages over HTTP. */
export interface Outbound {
  /**
   * Makes one attempt; never throws and never follows a redirect. If an idle connection turns out to have been closed
   * by the receiver, the message is sent once more, over a new connection and under the same id.
   *
   * The signal is the deadline of the whole attempt: name resolution, connection, headers and body.
   */
  readonly send: Transport;
  /** Ends every connection; attempts in flight fail with `connection`. */
  readonly close: () => Promise<void>;
}

/** A URL that passed the check. A literal address also has its route, which never changes. */
interface Destination {
  readonly target: Extract<ReturnType<typeof checkCallbackUrl>, { ok: true }>;
  readonly path: string;
  readonly route: Route | undefined;
}

const MAX_REMEMBERED_URLS = 10_000;

/** Sends with undici, whose requests no interception library sees. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowPrivate = false, lookup = systemLookup } = options;
  const destinations = new Map<string, Destination>();
  let pools: Pools | undefined;

  /** Undefined on a platform without sockets, such as a browser. */
  async function loadPools(): Promise<Pools | undefined> {
    const undici = await import('undici').catch(() => undefined);
    if (undici) pools ??= createPools(undici, options);
    return pools;
  }

  function findDestination(url: string): Destination | undefined {
    const known = destinations.get(url);
    if (known && !isForbiddenNow(known, options)) return known;
    const destination = checkDestination(url, options);
    if (!destination) return undefined;
    if (destinations.size >= MAX_REMEMBERED_URLS) destinations.clear();
    destinations.set(url, destination);
    return destination;
  }

  async function send(
    request: OutboundRequest,
    { signal }: { signal: AbortSignal },
  ): Promise<OutboundOutcome> {
    const destination = findDestination(request.url);
    if (!destination) return rejectedUrl(request.url, options);
    const loaded = pools ?? (await loadPools());
    if (!loaded) return { error: 'connection', reason: 'This platform cannot open connections.' };
    const found = destination.route ?? (await findRoute(destination, signal));
    if ('error' in found) return found;
    const open: OpenPool = (connection) =>
      connection === 'new' ? loaded.single(found) : loaded.shared(found);
    return post(open, destination.path, request, signal);
  }

  async function findRoute({ target }: Destination, signal: AbortSignal): Promise<Route | Failure> {
    const resolution = await unlessAborted(resolveTarget(target, { allowPrivate, lookup }), signal);
    if (resolution === undefined) return timedOut('resolving');
    return 'error' in resolution ? resolution : routeTo(target.url, resolution.addresses);
  }

  return { send, close: async () => pools?.close() };
}

/** Whether a rule that was switched on later forbids a URL that has passed the check. */
function isForbiddenNow({ target }: Destination, options: OutboundOptions): boolean {
  const { allowLoopback = true, allowPrivate } = options;
  return target.loopback && !allowLoopback && !allowPrivate;
}

function rejectedUrl(url: string, options: OutboundOptions): Failure {
  const checked = checkCallbackUrl(url, options);
  const reason = checked.ok ? {} : { reason: `The URL is not allowed. ${checked.message}` };
  return { error: 'refused_address', ...reason };
}

function checkDestination(raw: string, options: OutboundOptions): Destination | undefined {
  const target = checkCallbackUrl(raw, options);
  if (!target.ok) return undefined;
  const { hostname, pathname, search } = target.url;
  const addresses = literalAddress(hostname);
  const route = addresses && routeTo(target.url, addresses);
  return { target, path: pathname + search, route };
}

/** Resolves to undefined when the signal aborts first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    const stopListening = onAbort(signal, () => resolve(undefined));
    void work.then((value) => {
      stopListening();
      resolve(value);
    });
  });
}
