import { createHmac } from 'node:crypto';
import { standardScheme, WebhookConfigurationError } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { matchesAny } from '../../src/signing/standard-scheme.ts';
import { bodyHmac } from '../support/body-hmac.ts';
import { bodyOf, vectors } from '../vectors/webhooks.ts';

const key = new Uint8Array(32).fill(9);
const body = new TextEncoder().encode('{"a":1}');
const message = { id: 'msg_1', timestamp: 1_767_225_600, body, secrets: [key] };

describe('standardScheme', () => {
  test.each(vectors.sign.filter((vector) => !vector.expect))('signs "$name"', async (vector) => {
    const { id, timestamp, secret, signature } = vector;
    const input = { id, timestamp, body: bodyOf(vector), secrets: [secret] };
    const headers = await standardScheme().sign(input);
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'X-Service-Signature': signature,
      'webhook-signature': signature,
    });
    expect(await standardScheme().check({ ...input, signature })).toBe('valid');
  });

  test.each(vectors.sign.filter((vector) => vector.expect))('rejects "$name"', (vector) => {
    expect(() => standardScheme().prepare(vector.secret)).toThrow(WebhookConfigurationError);
  });

  test('signs with every secret, in the given order', async () => {
    const other = new Uint8Array(32).fill(8);
    const one = await standardScheme().sign(message);
    const two = await standardScheme().sign({ ...message, secrets: [other, key] });
    expect(two['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(two['webhook-signature']?.split(' ')[1]).toBe(one['webhook-signature']);
  });
});

describe('an HMAC of the body', () => {
  test.each([
    ['sha256', 'hex', ''],
    ['sha256', 'base64', 'sha256='],
    ['sha512', 'hex', 'sha512='],
    ['sha512', 'base64', 'v1='],
    ['sha1', 'hex', ''],
  ] as const)(
    '%s in %s after "%s" is the HMAC of only the body',
    async (algorithm, encoding, prefix) => {
      const scheme = bodyHmac({ algorithm, encoding, prefix, header: 'X-Hook' });
      const expected = prefix + createHmac(algorithm, key).update(body).digest(encoding);
      const headers = await scheme.sign(message);
      expect(headers['X-Hook']).toBe(expected);
      expect(await scheme.check({ ...message, signature: expected })).toBe('valid');
      const changed = { ...message, body: new TextEncoder().encode('{"a":2}') };
      expect(await scheme.check({ ...changed, signature: expected })).toBe('signature_mismatch');
    },
  );

  test('accepts a digest in either case, and nothing around it', async () => {
    const scheme = bodyHmac();
    const hex = createHmac('sha256', key).update(body).digest('hex');
    expect(await scheme.check({ ...message, signature: hex.toUpperCase() })).toBe('valid');
    for (const signature of [`sha256=${hex}`, hex.slice(1), `${hex}0`])
      expect(await scheme.check({ ...message, signature })).toBe('no_supported_signature');
  });

  test.each([
    { algorithm: 'md5' },
    { encoding: 'base32' },
    { prefix: 'a b' },
    { header: 'X Hook' },
    { header: '' },
  ])('%o is rejected', (options) => {
    expect(() => bodyHmac(options as never)).toThrow(TypeError);
  });
});

test('each signature is compared with each digest to the end, wherever they differ and whichever is equal', () => {
  const digests = ['xxxxxxxx', 'abcdefgh', 'yyyyyyyy'];
  for (const text of ['abcdefgh', 'Xbcdefgh', 'abcdefgX', 'XXXXXXXX']) {
    let reads = 0;
    const counted = (given: string) => ({
      length: given.length,
      charCodeAt(index: number) {
        reads += 1;
        return given.charCodeAt(index);
      },
    });
    const signatures = [text, 'zzzzzzzz'].map(counted) as unknown as string[];
    expect(matchesAny(digests, signatures)).toBe(text === 'abcdefgh');
    expect(reads).toBe(3 * 2 * 8);
  }
});
