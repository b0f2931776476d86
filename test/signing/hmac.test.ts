import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HmacAlgorithm, prepareHmac, prepareWebHmac } from '../../src/signing/hmac.ts';
import { vectors } from '../vectors/webhooks.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

describe('HMAC', () => {
  test.each(vectors.hmacSha256)('both implementations give the digest of $name', async (vector) => {
    const [key, data] = [bytes(vector.keyHex), bytes(vector.dataHex)];
    const native = await prepareHmac('sha256', key).digest('', data, 'hex');
    const web = await prepareWebHmac('sha256', key).digest('', data, 'hex');
    expect(native.slice(0, vector.hmacHex.length)).toBe(vector.hmacHex);
    expect(web).toBe(native);
  });

  test('is synchronous on Node', () => {
    expect(prepareHmac('sha256', bytes('00')).digest('', bytes(''), 'hex')).toBeTypeOf('string');
  });

  test.each<HmacAlgorithm>(['sha256', 'sha512'])(
    '%s equals node:crypto for any key, head, body and size',
    async (algorithm) => {
      const text = fc.string({ unit: fc.constantFrom(...'aZ09_-.'), maxLength: 280 });
      const size = fc.constantFrom(0, 1, 300, 16_000, 16_384, 16_385, 40_000);
      const key = fc.uint8Array({ minLength: 1, maxLength: 150 });
      await fc.assert(
        fc.asyncProperty(key, text, size, async (keyBytes, head, length) => {
          const body = new Uint8Array(length).fill(length % 251);
          const expected = createHmac(algorithm, keyBytes).update(head).update(body);
          const base64 = expected.digest('base64');
          for (const prepare of [prepareHmac, prepareWebHmac])
            expect(await prepare(algorithm, keyBytes).digest(head, body, 'base64')).toBe(base64);
        }),
        { numRuns: 60 },
      );
    },
  );
});
