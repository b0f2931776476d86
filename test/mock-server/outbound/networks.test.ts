import { expect, onTestFinished, test } from 'vitest';
import { checkCallbackUrl } from '../../../mock-server/domain/url-policy.ts';
import { createOutbound, type OutboundOptions } from '../../../mock-server/outbound/transport.ts';

/** Sends over HTTP where every name resolves to one address. */
function sender(address: string, allowPrivate: NonNullable<OutboundOptions['allowPrivate']>) {
  const family = address.includes(':') ? 6 : 4;
  const outbound = createOutbound({ allowPrivate, lookup: async () => [{ address, family }] });
  onTestFinished(() => outbound.close());
  const { signal } = new AbortController();
  return (url: string) => outbound.send({ url, headers: {}, body: Buffer.from('{}') }, { signal });
}

test('--allow-private opens private and loopback addresses but not metadata services', () => {
  const policy = { allowPrivate: true };
  for (const url of [
    'http://10.0.0.1/',
    'https://192.168.1.1/',
    'http://[fd00::1]/',
    'http://2130706433/',
  ]) {
    expect(checkCallbackUrl(url, policy), url).toMatchObject({ ok: true });
  }
  for (const url of [
    'https://169.254.169.254/',
    'https://[ff02::1]/',
    'https://0.0.0.0/',
    'https://[64:ff9b::a00:1]/',
  ]) {
    expect(checkCallbackUrl(url, policy), url).toMatchObject({
      ok: false,
      code: 'refused_address',
    });
  }
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
    const send = sender(address, allowPrivate);
    expect(await send('http://metadata.test/')).toMatchObject({ error: 'refused_address' });
  }
});

test('a list of networks opens their addresses and no others', async () => {
  const policy = { allowPrivate: ['172.16.0.0/12', 'fd12::/16'], allowLoopback: false };
  const verdicts = [
    'http://172.17.0.1/',
    'http://[fd12::1]/',
    'http://app:3000/',
    'http://192.168.1.1/',
    'http://10.0.0.1/',
    'http://[fd13::1]/',
    'http://127.0.0.1/',
    'http://localhost/',
  ].map((url) => checkCallbackUrl(url, policy).ok);
  expect(verdicts).toEqual([true, true, true, false, false, false, false, false]);
  const loopback = { ...policy, allowPrivate: ['127.0.0.0/8'] };
  expect(checkCallbackUrl('http://localhost/', loopback).ok).toBe(true);
  const send = sender('10.0.0.1', policy.allowPrivate);
  expect(await send('http://app.test/')).toMatchObject({ error: 'refused_address' });
});
