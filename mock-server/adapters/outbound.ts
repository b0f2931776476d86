import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Pool } from 'undici';
import { checkCallbackUrl } from '../domain/delivery/url-policy.ts';
import type { OutboundOutcome, OutboundRequest, Transport } from '../domain/ports.ts';
import { type Lookup, literalAddress, resolveTarget, systemLookup } from './address-guard.ts';

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
   * Makes one attempt; never throws, never follows a redirect, never retries.
   *
   * The signal is the attempt's one deadline, over name resolution, connection, headers and body.
   */
  readonly send: Transport;
  /** Ends every connection; attempts in flight fail with `connection`. */
  readonly close: () => Promise<void>;
}

const maxAnswerBytes = 16 * 1024;
const connectTimeout = 15_000;
const ended = new Error('The attempt has ended.');
const rememberedUrls = 10_000;

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
  readonly addresses: readonly LookupAddress[];
}

/** Makes the outbound transport on undici, which no interception library sees. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowPrivate = false, lookup = systemLookup } = options;
  const pools = new Map<string, Pool>();
  const destinations = new Map<string, Destination>();
  let loading: Promise<typeof import('undici')> | undefined;
  let undici: typeof import('undici') | undefined;

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

  function poolFor({ Pool }: typeof import('undici'), url: URL, { key, addresses }: Route): Pool {
    const known = pools.get(key);
    if (known) return known;
    const pool = new Pool(url.origin, {
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

  const send: Transport = async (request, { signal }) => {
    const destination = destinationOf(request.url);
    if (!destination) return { error: 'refused_address' };
    if (!undici) {
      loading ??= import('undici');
      undici = await loading.catch(() => undefined);
      // A platform without sockets, a browser for one, has no network to deliver over.
      if (!undici) return { error: 'connection' };
    }
    const { verdict, path } = destination;
    let { route } = destination;
    if (!route) {
      const resolution = await orAborted(resolveTarget(verdict, { allowPrivate, lookup }), signal);
      if (resolution === undefined) return { error: 'timeout' };
      if ('error' in resolution) return resolution;
      route = routeTo(verdict.url, resolution.addresses);
    }
    return dispatch(poolFor(undici, verdict.url, route), path, request, signal);
  };

  async function close(): Promise<void> {
    const open = [...pools.values()];
    pools.clear();
    await Promise.all(open.map((pool) => pool.destroy()));
  }

  return { send, close };
}

function dispatch(
  pool: Pool,
  path: string,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  return new Promise((resolve) => {
    let abort: ((reason: Error) => void) | undefined;
    let settled = false;
    let status = 0;
    let retryAfter: string | undefined;
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (outcome: OutboundOutcome) => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const answer = (): OutboundOutcome => ({
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      snippet: size === 0 ? '' : Buffer.concat(chunks).toString('utf8'),
    });
    const onAbort = () => {
      settle({ error: 'timeout' });
      abort?.(ended);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });

    pool.dispatch(
      {
        path,
        method: 'POST',
        headers: request.headers,
        body: request.body,
      },
      // undici's older callbacks: they hand on the raw head, which nobody needs to have parsed.
      {
        onConnect(abortRequest) {
          abort = abortRequest;
          // Too late: a connection that came up after the deadline must not carry the message.
          if (settled) abortRequest(ended);
        },
        onHeaders(code, rawHeaders) {
          if (code >= 200) {
            status = code;
            retryAfter = findRetryAfter(rawHeaders);
          }
          return true;
        },
        onData(chunk) {
          const room = maxAnswerBytes - size;
          chunks.push(chunk.byteLength > room ? chunk.subarray(0, room) : chunk);
          size += Math.min(chunk.byteLength, room);
          if (size === maxAnswerBytes) {
            settle(answer());
            abort?.(ended);
          }
          return true;
        },
        onComplete: () => settle(answer()),
        onError: () => settle({ error: 'connection' }),
      },
    );
  });
}

/** Reads one field of a raw head: names and values in turn, as bytes. */
function findRetryAfter(rawHeaders: readonly Buffer[]): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 11 && name.toString('latin1').toLowerCase() === 'retry-after') {
      return rawHeaders[at + 1]?.toString('latin1');
    }
  }
  return undefined;
}

function routeTo(url: URL, addresses: readonly LookupAddress[]): Route {
  return { key: `${url.origin} ${addresses.map(({ address }) => address).join()}`, addresses };
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
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then((value) => {
      signal.removeEventListener('abort', onAbort);
      resolve(value);
    });
  });
}
