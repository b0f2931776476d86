import ipaddr from 'ipaddr.js';

/** What kind of address it is, as far as sending to it is concerned. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'forbidden';

// Addresses of cloud metadata services that lie outside the special ranges.
const metadataAddresses = new Set(['168.63.129.16']);

const privateRanges = new Set<string>(['private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Classifies one IP address.
 *
 * Everything that is not plainly public unicast is refused: a range nobody listed must not open a door, so IPv6 has to
 * lie in 2000::/3 (which leaves out NAT64, IPv4-compatible and every other embedding) besides being no special range.
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

/** Whether a name's resolved address may be connected to; loopback counts only where the URL spells it out. */
export function isReachable(kind: AddressKind, options: { allowPrivate: boolean }): boolean {
  if (kind === 'public') return true;
  return options.allowPrivate && kind !== 'forbidden';
}
