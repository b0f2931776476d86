import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { auditReceiver } from 'contentgen/testing';
import {
  createWebhookHandler,
  ed25519,
  generateEd25519Keys,
  signWebhook,
  verifyWebhook,
} from 'contentgen/webhooks';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { at, now, otherSecret, recorder, secret } from '../webhooks/support.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const base64 = (...parts: Buffer[]) => Buffer.concat(parts).toString('base64');
/** RFC 8032, 7.1, tests 1 and 2: seed and public key. */
const pairs = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  ],
].map(([seed = '', open = '']) => ({
  seed: hex(seed),
  short: `whsk_${base64(hex(seed))}`,
  long: `whsk_${base64(hex(seed), hex(open))}`,
  open: `whpk_${base64(hex(open))}`,
}));
const [own, other] = pairs as [(typeof pairs)[0], (typeof pairs)[0]];
const body = '{"event":"usage_threshold","note":"Zürich"}';
const message = { id: 'msg_1', timestamp: at, body };
const scheme = ed25519();

/** The signature by `node:crypto`, which is not what the scheme uses. */
function signByNode(seed: Buffer): string {
  const der = Buffer.concat([hex('302e020100300506032b657004220420'), seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return `v1a,${sign(null, Buffer.from(`msg_1.${at}.${body}`), key).toString('base64')}`;
}
const headersWith = (signature: string) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at),
  'x-service-signature': signature,
  'webhook-signature': signature,
});
const verify = (headers: Record<string, string>, secrets: string | string[], text = body) =>
  verifyWebhook({ body: text, headers, secret: secrets, scheme, now, diagnose: false });
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error) => error.code,
  );

afterEach(() => vi.unstubAllGlobals());

describe('ed25519', () => {
  test('signs what node:crypto signs, with both forms of the key', async () => {
    for (const pair of pairs) {
      const expected = headersWith(signByNode(pair.seed));
      for (const key of [pair.short, pair.long]) {
        const headers = await signWebhook({ ...message, secret: key, scheme });
        expect(Object.fromEntries(new Headers(headers))).toEqual(expected);
      }
      expect((await verify(expected, pair.open)).id).toBe('msg_1');
      expect((await verify(expected, pair.short)).id).toBe('msg_1');
    }
  });

  test('accepts v1 and v1a beside each other, whichever secret the receiver has', async () => {
    const headers = await signWebhook({ ...message, secret: [own.long, secret], scheme });
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1a,\S{88}$/);
    for (const known of [own.open, secret, [other.open, own.open], [otherSecret, own.open]])
      expect((await verify(headers, known)).id).toBe('msg_1');
    const standard = { body, headers, secret, now, diagnose: false };
    expect((await verifyWebhook(standard)).id).toBe('msg_1');
    const added = ed25519({ privateKey: own.short });
    const both = await signWebhook({ ...message, secret, scheme: added });
    expect(both).toEqual(headers);
    expect(JSON.stringify(added)).toBe('{"type":"ed25519"}');
    expect(Object.values(added)).not.toContain(own.short);
  });

  test('rejects everything else', async () => {
    const right = signByNode(own.seed);
    const digest = right.slice(4);
    const cases: [string, string, string?][] = [
      [right, 'signature_mismatch', `${body} `],
      [signByNode(other.seed), 'signature_mismatch'],
      [`v1a,${Buffer.alloc(64).toString('base64')}`, 'signature_mismatch'],
      [`v1,${digest}`, 'no_supported_signature'],
      [digest, 'no_supported_signature'],
      ['v1a,', 'no_supported_signature'],
      [right.slice(0, -4), 'no_supported_signature'],
      // The same bytes in a spelling whose unused bits are set.
      [
        right.replace(
          /(.)==$/,
          (_, last) => `${{ A: 'B', Q: 'R', g: 'h', w: 'x' }[last as 'A']}==`,
        ),
        'no_supported_signature',
      ],
      [new Array(5).fill(right).join(' '), 'malformed_header'],
      [new Array(17).fill('v1a,x').join(' '), 'malformed_header'],
    ];
    for (const [signature, code, text] of cases)
      expect([signature, await rejection(verify(headersWith(signature), own.open, text))]).toEqual([
        signature,
        code,
      ]);
    const stolen = await signWebhook({ ...message, secret: own.long, scheme });
    expect(await rejection(verify(stolen, secret))).toBe('no_supported_signature');
    // A public key is no secret: an HMAC with it proves nothing.
    const key = hex(Buffer.from(own.open.slice(5), 'base64').toString('hex'));
    const forged = await signWebhook({ ...message, secret: key });
    expect(await rejection(verify(forged, own.open))).toBe('no_supported_signature');
  });

  test('says which key is wrong, and never shows it', async () => {
    const receive = (key: string) => () => createWebhookHandler({ secret: key, scheme, on: {} });
    expect(receive(own.open.slice(0, -3))).toThrow('secret is not a complete whpk_ key');
    expect(receive(own.long.replace('whsk', 'whpk'))).toThrow('is not a complete whpk_ key');
    expect(receive('whsec_')).toThrow('has nothing after whsec_');
    expect(() => createWebhookHandler({ secret: own.open, on: {} })).toThrow('scheme: ed25519()');
    expect(() => ed25519({ privateKey: own.open })).toThrow('privateKey must be a whsk_ key');
    await expect(signWebhook({ ...message, secret: own.open, scheme })).rejects.toThrow(
      'the secret is a public key. Sign with the private key',
    );
  });

  test('says where there is no Ed25519', async () => {
    const subtle = { importKey: () => Promise.reject(new DOMException('', 'NotSupportedError')) };
    vi.stubGlobal('crypto', { subtle });
    const fresh = `whpk_${base64(Buffer.alloc(32, 9))}`;
    await expect(verify(headersWith(signByNode(own.seed)), fresh)).rejects.toThrow(
      'the Web Crypto of this runtime has no Ed25519. Use Node 20.19 or later',
    );
  });

  test('makes keys that fit each other and node:crypto', async () => {
    const { privateKey, publicKey } = await generateEd25519Keys();
    const headers = await signWebhook({ ...message, secret: privateKey, scheme });
    expect((await verify(headers, publicKey)).id).toBe('msg_1');
    const bytes = Buffer.from(privateKey.slice(5), 'base64');
    const der = Buffer.concat([hex('302e020100300506032b657004220420'), bytes.subarray(0, 32)]);
    const { x } = createPublicKey(
      createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    ).export({ format: 'jwk' }) as { x: string };
    expect(`whpk_${base64(Buffer.from(x, 'base64url'))}`).toBe(publicKey);
    expect(bytes.subarray(32).toString('base64')).toBe(publicKey.slice(5));
  });

  test('passes the audit, by the deployment and with a wrong key not at all', async () => {
    let effects = 0;
    const deployment = { scheme: { type: 'ed25519' } };
    const receive = (key: string) =>
      createWebhookHandler({
        secret: key,
        deployment,
        diagnose: false,
        logger: recorder(),
        on: { usage_threshold: () => effects++ },
      });
    const options = { secret: own.long, deployment, effects: () => effects, wait: async () => {} };
    const report = await auditReceiver(receive(own.open), options);
    expect(report.results.filter(({ outcome }) => /failed|warning/.test(outcome))).toEqual([]);
    expect((await auditReceiver(receive(other.open), options)).problem).toContain('secret');
  });
});
