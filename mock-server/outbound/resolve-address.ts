import type { LookupAddress } from 'node:dns';
import { type AllowedNetworks, classifyAddress, isReachable } from '../domain/address-policy.ts';
import { literalOf } from '../domain/url-policy.ts';

/** Resolves a name to all of its addresses. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The addresses that an attempt can connect to, or why there are none. */
export type Resolution =
  | { readonly addresses: readonly LookupAddress[] }
  | { readonly error: 'dns' | 'refused_address'; readonly reason: string };

/**
 * Resolves the host of a checked callback URL. A name with one forbidden address is rejected as a whole.
 *
 * Connect only to the addresses returned here, without a second lookup: a name can resolve to something else between
 * the check and the connection (DNS rebinding).
 */
export function resolveTarget(
  target: Target,
  options: ResolveOptions,
): Resolution | Promise<Resolution> {
  const literal = literalOf(target.url.hostname);
  if (literal === undefined) return resolveName(target, options);
  return { addresses: [{ address: literal, family: literal.includes(':') ? 6 : 4 }] };
}

interface Target {
  readonly url: URL;
  readonly loopback: boolean;
}

interface ResolveOptions {
  readonly allowPrivate: AllowedNetworks;
  readonly lookup: Lookup;
}

async function resolveName(
  { url: { hostname }, loopback }: Target,
  options: ResolveOptions,
): Promise<Resolution> {
  let addresses: readonly LookupAddress[];
  try {
    addresses = await options.lookup(hostname);
  } catch (error) {
    return unresolved(hostname, (error as { code?: unknown }).code);
  }
  if (addresses.length === 0) return unresolved(hostname, undefined);
  const allowed = addresses.every(({ address }) =>
    loopback ? classifyAddress(address) === 'loopback' : isReachable(address, options.allowPrivate),
  );
  // The message does not name the address: what a name resolves to inside this network must not be disclosed.
  const reason = `${hostname} resolves to an address that deliveries must not go to.`;
  return allowed ? { addresses } : { error: 'refused_address', reason };
}

function unresolved(hostname: string, code: unknown): Resolution {
  const detail = typeof code === 'string' && /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
  return { error: 'dns', reason: `The name ${hostname} does not resolve${detail}.` };
}

/** The system's resolver: every address of a name, in the order the system returns them. */
export const systemLookup: Lookup = (hostname) =>
  process.getBuiltinModule('node:dns').promises.lookup(hostname, { all: true });
