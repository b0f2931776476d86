import ipaddr from 'ipaddr.js';

/** The kind of an address, for the decision whether to send to it. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'forbidden';

/** Which private and loopback addresses deliveries can go to: all, none, or networks such as `172.16.0.0/12`. */
export type AllowedNetworks = boolean | readonly string[];

/** Cloud metadata services outside the link-local ranges. They hand out the credentials of the machine. */
const METADATA = [
  '100.100.100.200/32', // Alibaba Cloud
  '168.63.129.16/32', // Azure
  'fd00:42::/32', // Scaleway
  'fd00:a9fe:a9fe::/48', // Akamai
  'fd00:c1::/32', // Oracle Cloud
  'fd00:ec2::/32', // Amazon Web Services
  'fd20:ce::/32', // Google Cloud
].map((network) => ipaddr.parseCIDR(network));

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
const PRIVATE = ['private', 'uniqueLocal', 'carrierGradeNat'];

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
  if (METADATA.some((network) => isIn(ip, network))) return 'forbidden';
  const range: string = ip.range();
  if (range === 'loopback') return 'loopback';
  if (PRIVATE.includes(range)) return 'private';
  const isPublic = range === 'unicast' && (ip.kind() === 'ipv4' || isIn(ip, GLOBAL_UNICAST));
  return isPublic ? 'public' : 'forbidden';
}

export function isReachable(address: string, allowed: AllowedNetworks): boolean {
  const kind = classifyAddress(address);
  if (kind === 'public' || kind === 'forbidden') return kind === 'public';
  if (typeof allowed === 'boolean') return allowed;
  const ip = ipaddr.parse(address);
  return allowed.some((network) => isIn(ip, ipaddr.parseCIDR(network)));
}

/** Whether a text is a network, such as `10.0.0.0/8`. */
export const isNetwork = (text: unknown): boolean =>
  typeof text === 'string' && ipaddr.isValidCIDR(text);

type Address = ReturnType<typeof ipaddr.parse>;

const isIn = (ip: Address, [start, length]: [Address, number]): boolean =>
  ip.kind() === start.kind() && ip.match(start, length);
