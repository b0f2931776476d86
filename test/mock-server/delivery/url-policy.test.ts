import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkCallbackUrl } from '../../../mock-server/domain/url-policy.ts';

fc.configureGlobal({ seed: 20260101 });

// IANA's special-purpose registries: a list of non-public ranges that is independent of the library's.
const special = new BlockList();
const ranges = {
  ipv4: `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
  ipv6: '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
};
for (const family of ['ipv4', 'ipv6'] as const) {
  for (const range of ranges[family].split(/\s+/)) {
    const [network = '', prefix] = range.split('/');
    special.addSubnet(network, Number(prefix), family);
  }
}

const octets = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);
const dotted = (address: number) => octets(address).join('.');

/** The ways to write an IPv4 address that URL parsers accept. */
const spellings: readonly ((address: number) => string)[] = [
  dotted,
  (address) => String(address >>> 0),
  (address) => `0x${(address >>> 0).toString(16)}`,
  (address) => `0${(address >>> 0).toString(8)}`,
  (address) =>
    octets(address)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
  (address) =>
    octets(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
  (address) => `${octets(address)[0]}.${address & 0xffffff}`,
  (address) => `${octets(address).slice(0, 2).join('.')}.${address & 0xffff}`,
  (address) => `${dotted(address)}.`,
  (address) => dotted(address).replaceAll('.', '。'),
];

// Half of the addresses are near special ranges, because uniformly drawn ones are mostly public.
const edges = [0x00, 0x0a, 0x6440, 0x7f, 0xa9fe, 0xac10, 0xc0a8, 0xe0].map((start) =>
  start > 0xff ? start * 0x1_0000 : start * 0x100_0000,
);
const addresses = fc.oneof(
  fc.nat(0xffffffff),
  fc.tuple(fc.constantFrom(...edges), fc.nat(0xffff)).map(([base, rest]) => (base + rest) >>> 0),
);

describe('callback URLs', () => {
  test('no notation of a special IPv4 address is accepted, except loopback in plain decimals', () => {
    fc.assert(
      fc.property(addresses, fc.constantFrom(...spellings), (address, spell) => {
        const written = spell(address);
        const canonical = dotted(address);
        const verdict = checkCallbackUrl(`https://${written}/`);
        if (!special.check(canonical, 'ipv4')) return true;
        const loopback = canonical.startsWith('127.') && written === canonical;
        return verdict.ok === loopback;
      }),
      { numRuns: 2000 },
    );
  });

  test('an IPv6 literal is accepted only inside 2000::/3 and outside its special ranges', () => {
    fc.assert(
      fc.property(fc.ipV6(), (literal) => {
        const verdict = checkCallbackUrl(`https://[${literal}]/`);
        if (!verdict.ok || verdict.loopback) return true;
        const host = verdict.url.hostname.slice(1, -1);
        return /^[23]/.test(host) && /^[0-9a-f]{4}:/.test(host) && !special.check(host, 'ipv6');
      }),
      { numRuns: 2000 },
    );
  });

  test('an IPv4 address embedded in IPv6 is rejected, public or not', () => {
    fc.assert(
      fc.property(
        addresses,
        fc.constantFrom('::ffff:', '::', '64:ff9b::', '::ffff:0:'),
        (address, prefix) => {
          const verdict = checkCallbackUrl(`https://[${prefix}${dotted(address)}]/`);
          return !verdict.ok || (prefix === '::' && address < 2);
        },
      ),
    );
  });

  test('an accepted URL has no credentials and uses https or loopback', () => {
    const urls = fc
      .tuple(
        fc.constantFrom('http://', 'https://', 'HTTPS://', 'http:/', 'https:'),
        fc.constantFrom('', 'a@', 'a:b@', '@', ':@', '%40'),
        fc.constantFrom('example.com', 'localhost', '127.0.0.1', '[::1]', 'LOCALHOST', '127.1'),
        fc.constantFrom('', ':80', ':', ':99999', '/path', '?q', '#f', '\\@x'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(urls, (text) => {
        const verdict = checkCallbackUrl(text);
        if (!verdict.ok) return true;
        const { username, password, protocol } = verdict.url;
        return username === '' && password === '' && (protocol === 'https:' || verdict.loopback);
      }),
      { numRuns: 1000 },
    );
  });

  test('a URL longer than 2048 characters is rejected', () => {
    expect(checkCallbackUrl(`https://example.com/${'a'.repeat(2028)}`).ok).toBe(true);
    expect(checkCallbackUrl(`https://example.com/${'a'.repeat(2029)}`)).toMatchObject({
      ok: false,
      code: 'invalid_format',
    });
  });
});
