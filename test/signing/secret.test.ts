import { describe, expect, test } from 'vitest';
import { WebhookConfigurationError } from '../../src/signing/errors.ts';
import { formatSecret, keyFor, parseSecret } from '../../src/signing/secret.ts';

const of = (length: number) => formatSecret(new Uint8Array(length).fill(7));

describe('A signing secret', () => {
  test.each([24, 32, 64])('of %i bytes is decoded to its bytes', (length) => {
    expect(parseSecret(of(length))).toEqual(new Uint8Array(length).fill(7));
  });

  test('given as raw bytes is used as it is', () => {
    const raw = new Uint8Array(16).fill(1);
    expect(parseSecret(raw)).toBe(raw);
  });

  const mistakes: [name: string, secret: unknown, problem: string, advice: string][] = [
    ['unset', undefined, 'is undefined', 'environment variable'],
    ['null', null, 'is null', 'environment variable'],
    ['empty', '', 'is an empty string', 'environment variable'],
    ['in quotes', `"${of(32)}"`, 'is in quotes', 'Remove the quotes'],
    ['a line of a .env file', `SECRET=${of(32)}`, 'is a line of a .env file', 'equals sign'],
    ['an Authorization header', `Bearer ${of(32)}`, 'contains white space', 'as an array'],
    ['a placeholder', 'whsec_…', 'is a placeholder', 'in its place'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nMII', 'contains white space', 'as an array'],
    ['followed by a line break', `${of(32)}\n`, 'begins or ends with white space', 'Trim it'],
    ['two, with a space', `${of(32)} ${of(32)}`, 'contains white space', 'as an array'],
    ['an API key', `cg_live_${'a'.repeat(49)}`, 'is an API key', 'signing secret'],
    ['a URL', 'https://app.example/webhooks', 'starts with https:', 'signing secret'],
    ['the id of the webhook', 'wh_01jgfj8s00000000000000000r', 'starts with wh_', 'signing secret'],
    ['a private key', `whsk_${'A'.repeat(44)}`, 'starts with whsk_', 'whsec_'],
    ['with the prefix twice', `whsec_${of(32)}`, 'starts with whsec_ twice', 'once'],
    ['without prefix', of(32).slice(6), 'does not start with whsec_', 'its prefix'],
    ['unpadded', of(32).replace('=', ''), 'lacks its base64 padding', 'at the end'],
    ['base64url', `whsec_${'-_'.repeat(16)}`, 'is base64url', 'plain base64'],
    ['only the prefix', 'whsec_', 'has nothing after whsec_', 'Copy all of it'],
    ['not base64', 'whsec_thisIsNotBase64!!!', 'is not valid base64', 'Copy it again'],
    ['of 23 bytes', of(23), 'has 23 bytes', '24 to 64 bytes'],
    ['of 65 bytes', of(65), 'has 65 bytes', '24 to 64 bytes'],
    ['an array', [of(32)], 'is an array', 'whsec_ string'],
    ['empty bytes', new Uint8Array(), 'is a Uint8Array of 0 bytes', '16 to 4096 bytes'],
    [
      'a text of 200 kB',
      `whsec_${'A'.repeat(200_000)}`,
      'has more than 64 bytes',
      '24 to 64 bytes',
    ],
    ['a file of 200 kB', new Uint8Array(200_000), 'of 200000 bytes', '16 to 4096 bytes'],
  ];

  test.each(mistakes)(
    'that is %s is rejected with its own sentence, which does not show it',
    (_name, secret, ...words) => {
      const parse = () => parseSecret(secret as string);
      expect(parse).toThrow(WebhookConfigurationError);
      for (const part of ['Failed to set up webhooks: secret ', ...words])
        expect(parse).toThrow(part);
      const shown = expect.not.stringContaining(String(secret));
      if (String(secret).length >= 12)
        expect(parse).toThrow(expect.objectContaining({ message: shown }));
    },
  );

  test('as bytes can be overwritten by its owner: the new value counts', async () => {
    const raw = new Uint8Array(32).fill(1);
    const body = new Uint8Array(3);
    const first = await keyFor('sha256', raw).digest('', body, 'hex');
    raw.fill(2);
    expect(await keyFor('sha256', raw).digest('', body, 'hex')).not.toBe(first);
    raw.fill(1);
    expect(await keyFor('sha256', raw).digest('', body, 'hex')).toBe(first);
  });

  test('as text never finds a cached key of equal bytes', () => {
    const text = 'abcdefghijklmnop';
    keyFor('sha256', new TextEncoder().encode(text));
    expect(() => keyFor('sha256', ` ${text}`)).toThrow(WebhookConfigurationError);
    expect(() => keyFor('sha256', text)).toThrow(WebhookConfigurationError);
  });
});
