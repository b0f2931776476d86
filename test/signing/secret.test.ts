import { describe, expect, test } from 'vitest';
import { WebhookConfigurationError } from '../../src/signing/errors.ts';
import { keyFor } from '../../src/signing/keys.ts';
import { formatSecret, parseSecret } from '../../src/signing/secret.ts';

const of = (length: number) => formatSecret(new Uint8Array(length).fill(7));

describe('A signing secret', () => {
  test.each([24, 32, 64])('of %i bytes is read as its bytes', (length) => {
    expect(parseSecret(of(length))).toEqual(new Uint8Array(length).fill(7));
  });

  test('given as raw bytes is used as it is', () => {
    const raw = new Uint8Array([1, 2, 3]);
    expect(parseSecret(raw)).toBe(raw);
  });

  test.each([
    ['empty', ''],
    ['only white space', ' \n'],
    ['no key behind the prefix', 'whsec_'],
    ['of 23 bytes', of(23)],
    ['of 65 bytes', of(65)],
    ['without prefix', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['with another prefix', of(32).replace('whsec_', 'whsec-')],
    ['a line break behind it', `${of(32)}\n`],
    ['a space before it', ` ${of(32)}`],
    ['an API key', `cg_live_${'a'.repeat(49)}`],
    ['a private signing key', `whsk_${'A'.repeat(44)}`],
    ['unpadded', of(32).replace('=', '')],
    ['base64url', `whsec_${'-_'.repeat(16)}`],
    ['with bits left over', `whsec_${'A'.repeat(42)}B=`],
    ['unset', undefined as never],
    ['null', null as never],
    ['a number', 42 as never],
    ['a list', [of(32)] as never],
    ['empty bytes', new Uint8Array()],
  ])('%s is refused with a message that says what it must be', (_name, secret) => {
    expect(() => parseSecret(secret)).toThrow(WebhookConfigurationError);
    for (const words of [
      'whsec_',
      '24 to 64 bytes',
      'API key',
      'whsk_',
      'white space',
      'empty',
      'unset',
    ])
      expect(() => parseSecret(secret)).toThrow(words);
  });

  test('never appears in the message', () => {
    const secret = 'whsec_thisIsNotBase64!!!';
    expect(() => parseSecret(secret)).toThrow(expect.not.stringContaining('thisIsNot') as never);
    try {
      parseSecret(secret);
    } catch (error) {
      expect(String(error)).not.toContain('thisIsNot');
    }
  });

  test('as bytes may be overwritten by its owner: the next value counts', async () => {
    const raw = new Uint8Array(32).fill(1);
    const body = new Uint8Array(3);
    const first = await keyFor('sha256', raw).digest('', body, 'hex');
    raw.fill(2);
    expect(await keyFor('sha256', raw).digest('', body, 'hex')).not.toBe(first);
    raw.fill(1);
    expect(await keyFor('sha256', raw).digest('', body, 'hex')).toBe(first);
  });

  test('is prepared once, as text and as bytes, and anew when 256 others were', () => {
    for (const secret of [of(40), new Uint8Array(40).fill(3)]) {
      const first = keyFor('sha512', secret);
      expect(keyFor('sha512', secret)).toBe(first);
      for (let n = 0; n < 257; n++) {
        const other = new Uint8Array(40).fill(4);
        other.set([n & 255, n >> 8]);
        keyFor('sha512', typeof secret === 'string' ? formatSecret(other) : other);
      }
      expect(keyFor('sha512', secret)).not.toBe(first);
    }
  });

  test('as text and as the same bytes is one key for the answer, and two in the cache', async () => {
    const body = new Uint8Array(1);
    const text = await keyFor('sha256', of(33)).digest('', body, 'hex');
    const raw = new Uint8Array(33).fill(7);
    expect(await keyFor('sha256', raw).digest('', body, 'hex')).toBe(text);
    const key = keyFor('sha256', raw);
    raw.fill(0);
    expect(await key.digest('', body, 'hex')).toBe(text);
  });

  test('is still usable after 300 others have been', async () => {
    const body = new Uint8Array(1);
    const first = await keyFor('sha256', of(32)).digest('', body, 'hex');
    for (let n = 0; n < 300; n++) keyFor('sha256', new Uint8Array([n & 255, n >> 8, 1]));
    expect(await keyFor('sha256', of(32)).digest('', body, 'hex')).toBe(first);
  });

  test('a text cannot pass for the raw bytes of a cached key', () => {
    keyFor('sha256', new TextEncoder().encode('abc'));
    expect(() => keyFor('sha256', ' abc')).toThrow(WebhookConfigurationError);
    expect(() => keyFor('sha256', 'abc')).toThrow(WebhookConfigurationError);
  });
});
