import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Pool } from 'undici';
import { realTimers } from '../real-timers.ts';
import { trackReuse } from './post.ts';

/** Checked addresses to connect to. */
export interface Route {
  /** The same for routes that can share connections. */
  readonly key: string;
  readonly origin: string;
  readonly addresses: readonly LookupAddress[];
}

export interface Pools {
  /** The pool of a route, which keeps connections alive. */
  shared(route: Route): Pool;
  /** A pool that closes after the next message. */
  single(route: Route): Pool;
  /** Ends every connection. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 15_000;

export function routeTo(url: URL, addresses: readonly LookupAddress[]): Route {
  const { origin } = url;
  return { key: `${origin} ${addresses.map(({ address }) => address).join()}`, origin, addresses };
}

/** `ca`: more certificate authorities to trust, in PEM. */
export function createPools(
  undici: typeof import('undici'),
  { ca }: { readonly ca?: string },
): Pools {
  const pools = new Map<string, Pool>();
  let singles = 0;

  function open({ key, origin, addresses }: Route): Pool {
    const pool = new undici.Pool(origin, {
      factory: (url, settings) => trackReuse(new undici.Client(url, settings)),
      connectTimeout: CONNECT_TIMEOUT_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { lookup: fixedLookup(addresses), ...(ca ? { ca } : {}) },
    });
    const closeWhenUnused = () => {
      const { connected, size } = pool.stats;
      if (connected > 0 || size > 0 || pools.get(key) !== pool) return;
      pools.delete(key);
      pool.close().catch(() => {});
    };
    pool.on('disconnect', closeWhenUnused).on('connectionError', closeWhenUnused);
    pools.set(key, pool);
    return pool;
  }

  return {
    shared: (route) => pools.get(route.key) ?? open(route),
    single(route) {
      singles += 1;
      const pool = open({ ...route, key: `${route.key} ${singles}` });
      realTimers.endTurn(() => void pool.close().catch(() => {}));
      return pool;
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}

/** Connects only to the checked addresses: a second lookup could return others. */
function fixedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}
