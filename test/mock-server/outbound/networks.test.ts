import { expect, test } from 'vitest';
import { checkCallbackUrl } from '../../../mock-server/domain/url-policy.ts';
import { resolvingTo, sender } from './sender.ts';

test.each([
  ...['10.0.0.1', '192.168.1.1', '100.64.0.1', '[fd00::1]', '2130706433'].map(
    (host) => [`http://${host}/`, { ok: true }] as const,
  ),
  ...['169.254.169.254', '[ff02::1]', '0.0.0.0', '[64:ff9b::a00:1]'].map(
    (host) => [`https://${host}/`, { ok: false, code: 'refused_address' }] as const,
  ),
])('with --allow-private, private and loopback addresses are open: %s, %o', (url, verdict) => {
  expect(checkCallbackUrl(url, { allowPrivate: true })).toMatchObject(verdict);
});

test.each<[string, string]>([
  ['Amazon Web Services', '[fd00:ec2::254]'],
  ['Amazon, containers', '169.254.170.2'],
  ['Amazon, pods', '[fd00:ec2::23]'],
  ['Google Cloud', '[fd20:ce::254]'],
  ['Azure', '168.63.129.16'],
  ['Alibaba Cloud', '100.100.100.200'],
  ['Oracle Cloud', '192.0.0.192'],
  ['Oracle Cloud', '[fd00:c1::a9fe:a9fe]'],
  ['Scaleway', '[fd00:42::42]'],
  ['Akamai', '[fd00:a9fe:a9fe::1]'],
  ['OpenStack', '[fe80::a9fe:a9fe]'],
  ['Tencent Cloud', '169.254.0.23'],
  ['Alibaba Cloud, as IPv6', '[::ffff:100.100.100.200]'],
  ['Alibaba Cloud, as a number', '1684301000'],
])('the metadata service of %s is refused whatever is allowed: %s', async (_, host) => {
  const address = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
  for (const allowPrivate of [true, ['0.0.0.0/0', '::/0', '100.64.0.0/10', 'fc00::/7']]) {
    expect(checkCallbackUrl(`http://${host}/`, { allowPrivate })).toMatchObject({ ok: false });
    const send = sender({ allowPrivate, lookup: resolvingTo(address) });
    expect(await send('http://metadata.test/')).toMatchObject({ error: 'refused_address' });
  }
});

test('a list of networks opens their addresses and no others', async () => {
  const policy = { allowPrivate: ['172.16.0.0/12', 'fd12::/16'], allowLoopback: false };
  const isOpen = (host: string) => checkCallbackUrl(`http://${host}/`, policy).ok;
  const open = ['172.17.0.1', '[fd12::1]', 'app:3000'];
  const closed = ['192.168.1.1', '10.0.0.1', '[fd13::1]', '127.0.0.1', 'localhost'];
  expect([...open, ...closed].filter(isOpen)).toEqual(open);
  const loopback = { ...policy, allowPrivate: ['127.0.0.0/8'] };
  expect(checkCallbackUrl('http://localhost/', loopback).ok).toBe(true);
  const send = sender({ allowPrivate: policy.allowPrivate, lookup: resolvingTo('10.0.0.1') });
  expect(await send('http://app.test/')).toMatchObject({ error: 'refused_address' });
});
