import type { AllowedNetworks } from '../domain/address-policy.ts';
import { onAbort } from '../domain/listeners.ts';
import type { OutboundOutcome, OutboundRequest, Transport } from '../domain/ports.ts';
import { checkCallbackUrl, type UrlVerdict } from '../domain/url-policy.ts';
import { timedOut } from './failure.ts';
import { createPools, type Pools, routeTo } from './pools.ts';
import { type OpenPool, post } from './post.ts';
import { type Lookup, resolveTarget, systemLookup } from './resolve-address.ts';

/** Options of the outbound transport. */
export interface OutboundOptions {
  /** Rejects `http:` even on loopback. @default false */
  readonly strictHttps?: boolean;
  /** Also sends to these private and loopback addresses, and over `http:`. @default false */
  readonly allowPrivate?: AllowedNetworks;
  /** Sends to loopback addresses as written; can be switched off later. @default true */
  readonly allowLoopback?: boolean;
  /** Resolves names. @default the system's resolver */
  readonly lookup?: Lookup;
  /** More certificate authorities to trust, in PEM. @default none */
  readonly ca?: string;
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

type Target = Extract<UrlVerdict, { ok: true }>;

const MAX_REMEMBERED_URLS = 10_000;

/** Sends with undici, whose requests no interception library sees. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { allowPrivate = false, lookup = systemLookup } = options;
  const allowed = new Map<string, Target>();
  let pools: Pools | undefined;

  /** Checking takes a twentieth of an attempt, and most go to a URL that had some before. */
  function check(url: string): UrlVerdict {
    const known = allowed.get(url);
    // Loopback can be forbidden later.
    if (known && !(known.loopback && options.allowLoopback === false)) return known;
    const target = checkCallbackUrl(url, options);
    if (allowed.size >= MAX_REMEMBERED_URLS) allowed.clear();
    if (target.ok) allowed.set(url, target);
    return target;
  }

  /** Undefined on a platform without sockets, such as a browser. */
  async function loadPools(): Promise<Pools | undefined> {
    const undici = await import('undici').catch(() => undefined);
    if (undici) pools ??= createPools(undici, options);
    return pools;
  }

  async function send(
    request: OutboundRequest,
    { signal }: { signal: AbortSignal },
  ): Promise<OutboundOutcome> {
    const target = check(request.url);
    if (!target.ok) {
      return { error: 'refused_address', reason: `The URL is not allowed. ${target.message}` };
    }
    const loaded = pools ?? (await loadPools());
    if (!loaded) return { error: 'connection', reason: 'This platform cannot open connections.' };
    const resolving = resolveTarget(target, { allowPrivate, lookup });
    const resolution =
      resolving instanceof Promise ? await unlessAborted(resolving, signal) : resolving;
    if (resolution === undefined) return timedOut('resolving');
    if ('error' in resolution) return resolution;
    const route = routeTo(target.url, resolution.addresses);
    const open: OpenPool = (connection) =>
      connection === 'new' ? loaded.single(route) : loaded.shared(route);
    return post(open, target.url.pathname + target.url.search, request, signal);
  }

  return { send, close: async () => pools?.close() };
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
