import ipaddr from 'ipaddr.js';

/** The kind of an address, for the decision whether to send to it. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'forbidden';

// Cloud metadata services outside the special ranges.
const metadataAddresses = new Set(['168.63.129.16']);

const privateRanges = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Classifies one IP address.
 *
 * Anything that is not plainly public unicast is forbidden, so that a range missing from a list does no harm. IPv6 must
 * also be in 2000::/3, which excludes NAT64, IPv4-compatible and all other embedded addresses.
 */
export function classifyAddress(address: string): AddressKind {
  const bare = address.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare)) return 'forbidden';
  const ip = ipaddr.parse(bare);
  const range: string = ip.range();
  if (range === 'loopback') return 'loopback';
  if (privateRanges.has(range)) return 'private';
  if (range !== 'unicast') return 'forbidden';
  if (ip.kind() === 'ipv4') return metadataAddresses.has(ip.toString()) ? 'forbidden' : 'public';
  return ip.match(ipaddr.IPv6.parse('2000::'), 3) ? 'public' : 'forbidden';
}

/** Whether deliveries can connect to an address that a name resolved to. Loopback must be spelled out in the URL. */
export function isReachable(kind: AddressKind, options: { allowPrivate: boolean }): boolean {
  if (kind === 'public') return true;
  return options.allowPrivate && kind !== 'forbidden';
}
