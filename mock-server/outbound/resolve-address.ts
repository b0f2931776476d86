import type { LookupAddress } from 'node:dns';
import { classifyAddress, isReachable } from '../domain/delivery/address-policy.ts';
import { literalOf } from '../domain/delivery/url-policy.ts';

/** Resolves a name to all of its addresses. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The addresses that an attempt may connect to, or the reason why there are none. */
export type Resolution =
  | { readonly addresses: readonly LookupAddress[] }
  | { readonly error: 'dns' | 'refused_address' };

/**
 * Resolves where a checked callback URL leads; one forbidden address among many refuses them all.
 *
 * The connection must go to the addresses returned here and to no second look-up, or a name that changes its mind
 * between check and connect gets through.
 */
export async function resolveTarget(
  target: { readonly url: URL; readonly loopback: boolean },
  options: { readonly allowPrivate: boolean; readonly lookup: Lookup },
): Promise<Resolution> {
  const { hostname } = target.url;
  const literal = literalAddress(hostname);
  if (literal) return { addresses: literal };
  let addresses: readonly LookupAddress[];
  try {
    addresses = await options.lookup(hostname);
  } catch {
    return { error: 'dns' };
  }
  if (addresses.length === 0) return { error: 'dns' };
  const allowed = addresses.every(({ address }) => {
    const kind = classifyAddress(address);
    return target.loopback ? kind === 'loopback' : isReachable(kind, options);
  });
  return allowed ? { addresses } : { error: 'refused_address' };
}

/** The one address that a host spells out; the URL's own check has judged it. */
export function literalAddress(hostname: string): readonly LookupAddress[] | undefined {
  const literal = literalOf(hostname);
  return literal === undefined
    ? undefined
    : [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
}

/** The system's resolver: every address of a name, in the order it gives them. */
export const systemLookup: Lookup = (hostname) =>
  process.getBuiltinModule('node:dns').promises.lookup(hostname, { all: true });
