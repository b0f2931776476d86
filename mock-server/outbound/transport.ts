import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Pool } from 'undici';
import { checkCallbackUrl } from '../domain/delivery/url-policy.ts';
import { onAbort } from '../domain/on-abort.ts';
import type { OutboundOutcome, OutboundRequest, Transport } from '../domain/ports.ts';
import { createClient, exchange, type OpenPool } from './post.ts';
import { type Lookup, literalAddress, resolveTarget, systemLookup } from './resolve-address.ts';

/** Options of the outbound transport. */
export interface OutboundOptions {
  /** Refuse `http:` even on loopback. @default false */
  readonly strictHttps?: boolean;
  /** Send to private and loopback addresses too, over `http:` as well. @default false */
  readonly allowPrivate?: boolean;
  /** Resolves names. @default the system's resolver */
  readonly lookup?: Lookup;
  /** Further certificate authorities to trust, in PEM. @default none */
  readonly ca?: string;
}

/** Sends messages over real HTTP. */
export interface Outbound {
  /**
   * Makes one attempt; never throws, never follows a redirect. It sends again, at once, under the same id and over a
   * connection of its own, only what an idle connection took as the other side closed it, unanswered.
   *
   * The signal is the attempt's one deadline, over name resolution, connection, headers and body.
   */
  readonly send: Transport;
  /** Ends every connection; attempts in flight fail with `connection`. */
  readonly close: () => Promise<void>;
}

const connectTimeout = 15_000;
const rememberedUrls = 10_000;

type Undici = typeof import('undici');
type Checked = Extract<ReturnType<typeof checkCallbackUrl>, { ok: true }>;

/** A URL that passed the check; where a literal leads is known once and for all. */
interface Destination {
  readonly verdict: Checked;
  readonly path: string;
  readonly route: Route | undefined;
}

/** Addresses to dial, and the name under which their connections are kept. */
interface Route {
  readonly key: string;
  readonly origin: string;
  readonly addresses: readonly LookupAddress[];
}

/** Makes the outbound transport on undici, which no interception library sees. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowPrivate = false, lookup = systemLookup } = options;
  const pools = new Map<string, Pool>();
  const destinations = new Map<string, Destination>();
  let ownPools = 0;
  let loading: Promise<Undici> | undefined;
  let undici: Undici | undefined;

  function destinationOf(raw: string): Destination | undefined {
    const known = destinations.get(raw);
    const forbidden = options.strictHttps && known?.verdict.url.protocol === 'http:';
    if (known && !forbidden) return known;
    const verdict = checkCallbackUrl(raw, options);
    if (!verdict.ok) return undefined;
    const { hostname, pathname, search } = verdict.url;
    const path = pathname + search;
    const literal = literalAddress(hostname);
    const route = literal && routeTo(verdict.url, literal);
    const destination = { verdict, path, route };
    if (destinations.size >= rememberedUrls) destinations.clear();
    destinations.set(raw, destination);
    return destination;
  }

  /** One of its own ends with the message that it is for. */
  function ownPool(loaded: Undici, route: Route): Pool {
    ownPools += 1;
    const pool = poolFor(loaded, { ...route, key: `${route.key} ${ownPools}` });
    setImmediate(() => pool.close().catch(() => {}));
    return pool;
  }

  function poolFor({ Client, Pool }: Undici, { key, origin, addresses }: Route): Pool {
    const known = pools.get(key);
    if (known) return known;
    const pool = new Pool(origin, {
      factory: (url, settings) => createClient(new Client(url, settings)),
      connectTimeout,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { lookup: fixedLookup(addresses), ...(options.ca ? { ca: options.ca } : {}) },
    });
    const forget = () => {
      const { connected, size } = pool.stats;
      if (connected > 0 || size > 0 || pools.get(key) !== pool) return;
      pools.delete(key);
      pool.close().catch(() => {});
    };
    pool.on('disconnect', forget).on('connectionError', forget);
    pools.set(key, pool);
    return pool;
  }

  const post = (
    loaded: Undici,
    route: Route,
    path: string,
    request: OutboundRequest,
    signal: AbortSignal,
  ) => {
    const open: OpenPool = (anew) => (anew ? ownPool : poolFor)(loaded, route);
    return exchange(open, path, request, signal);
  };

  /** What stands between a message and its connection the first time, or each time for a name. */
  async function prepare(
    { verdict, path, route }: Destination,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundOutcome> {
    loading ??= import('undici');
    undici ??= await loading.catch(() => undefined);
    // A platform without sockets, a browser for one, has no network to deliver over.
    if (!undici) return { error: 'connection' };
    if (route) return post(undici, route, path, request, signal);
    const resolution = await orAborted(resolveTarget(verdict, { allowPrivate, lookup }), signal);
    if (resolution === undefined) return { error: 'timeout' };
    if ('error' in resolution) return resolution;
    return post(undici, routeTo(verdict.url, resolution.addresses), path, request, signal);
  }

  const send: Transport = (request, { signal }) => {
    const destination = destinationOf(request.url);
    if (!destination) return Promise.resolve({ error: 'refused_address' });
    const { path, route } = destination;
    if (!undici || !route) return prepare(destination, request, signal);
    return post(undici, route, path, request, signal);
  };

  async function close(): Promise<void> {
    const open = [...pools.values()];
    pools.clear();
    await Promise.all(open.map((pool) => pool.destroy()));
  }

  return { send, close };
}

function routeTo(url: URL, addresses: readonly LookupAddress[]): Route {
  const { origin } = url;
  return { key: `${origin} ${addresses.map(({ address }) => address).join()}`, origin, addresses };
}

/** The connector may dial what was checked, and nothing else. */
function fixedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    const stopListening = onAbort(signal, () => resolve(undefined));
    void work.then((value) => {
      stopListening();
      resolve(value);
    });
  });
}
