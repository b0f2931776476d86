import { createHmac } from 'node:crypto';
import { type VerifyWebhookOptions, verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, test, vi } from 'vitest';
import { bodyHmac } from '../support/body-hmac.ts';
import {
  at,
  delivery,
  makeHandler,
  now,
  otherSecret,
  recorder,
  request,
  secret,
  usage,
} from './support.ts';

/** What is logged for a rejected delivery. */
async function diagnosis(options: Partial<VerifyWebhookOptions> & object): Promise<string> {
  const logger = recorder(true);
  const given = { secret, now, logger, ...options } as VerifyWebhookOptions;
  await expect(verifyWebhook(given)).rejects.toThrow(/signature_mismatch|no_supported_signature/);
  expect(logger.lines).toHaveLength(1);
  const [line] = logger.lines as [string];
  for (const hidden of [secret.slice(6), 'org_1']) expect(line).not.toContain(hidden);
  return line;
}

const spaced = '{"event": "usage_threshold", "organization": "org_1", "usage": 900}';

/** Headers with the given signature, valid or not. */
const headersOf = (signature: string) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at),
  'webhook-signature': signature,
});
const mac = (key: string | Uint8Array, text: string, encoding: 'base64' | 'hex' = 'base64') =>
  createHmac('sha256', key).update(text).digest(encoding);
const keyBytes = Buffer.from(secret.slice(6), 'base64');
const sha512 = (text: string, encoding: 'base64' | 'hex' = 'base64') =>
  createHmac('sha512', keyBytes).update(text).digest(encoding);

describe('The diagnosis finds out that the body', () => {
  const again = 'parsed and serialized again';
  test.each([
    ['was parsed and serialized again', spaced, JSON.stringify(JSON.parse(spaced)), again],
    ['had its umlauts escaped', '{"a": "\\u00fc"}', '{"a":"ü"}', again],
    ['is a JSON text inside a JSON string', '{"a":1}', '"{\\"a\\":1}"', again],
    [
      'was written by Python',
      '{"a": [1, "\\u00fc", null], "b": {}}',
      '{"a":[1,"ü",null],"b":{}}',
      again,
    ],
    ['was indented by four', '{\n    "a": 1\n}\n', '{"a":1}', again],
    ['lost its trailing CRLF', '{"a":1}\r\n', '{"a":1}', 'trailing CRLF'],
    ['lost its trailing newline', '{"a":1}\n', '{"a":1}', 'trailing newline'],
    ['got a newline', '{"a":1}', '{"a":1}\n', 'white space was added at the end'],
    ['had LF become CRLF', '{\n"a":1\n}', '{\r\n"a":1\r\n}', 'from LF to CRLF'],
    ['lost its byte order mark', '\uFEFF{"a":1}', '{"a":1}', 'lost its byte order mark'],
    ['got a byte order mark', '{"a":1}', '\uFEFF{"a":1}', 'byte order mark was added'],
    ['was read as Latin-1', '{"a":"ü"}', '{"a":"Ã¼"}', 'read as Latin-1, not UTF-8, after'],
    ['is empty', '{"a":1}', '', 'the body is empty'],
    ['is cut', '{"a":"b","c":1}', '{"a":"b","c', 'ends within its JSON, after 11 bytes'],
    ['was decoded in pieces', '{"a":"ü"}', '{"a":"\ufffd\ufffd"}', 'U+FFFD'],
    ['is an object', '{"a":1}', '[object Object]', 'text of a JavaScript object'],
    ['was replaced', '{"a":1}', '<html></html>', 'the body is not JSON'],
    ['is compressed', '{"a":1}', Uint8Array.of(0x1f, 0x8b, 8), 'compressed (gzip)'],
    ['is no UTF-8', '{"a":1}', Uint8Array.of(0x22, 0xc3, 0x22), 'not valid UTF-8'],
  ])('%s', async (_name, sent, received, words) => {
    vi.stubEnv('OWN_WEBHOOK_SECRET', ` ${secret} `);
    const { headers } = await delivery(sent);
    const line = await diagnosis({ headers, body: received });
    expect(line).toContain(words);
    expect(line).toContain('[body_changed]. See docs/signature-does-not-verify.md');
    expect(line).not.toContain('secret');
  });
});

describe('The diagnosis finds out that the secret', () => {
  const signed = `msg_1.${at}.${JSON.stringify(usage)}`;
  const body = JSON.stringify(usage);

  test.each([
    ['was used as text, whole', secret],
    ['was used as text, without its prefix', secret.slice(6)],
  ])('%s', async (_name, key) => {
    const line = await diagnosis({ headers: headersOf(`v1,${mac(key, signed)}`), body });
    expect(line).toContain('used the secret as text');
  });

  test('is base64 text passed as bytes', async () => {
    const { headers } = await delivery(usage);
    const asText = new TextEncoder().encode(secret.slice(6));
    expect(await diagnosis({ headers, body, secret: asText })).toContain("Pass 'whsec_'");
  });

  test('has white space around it', async () => {
    const headers = headersOf(`v1,${mac('plain text secret', signed)}`);
    const padded = new TextEncoder().encode('plain text secret\n');
    expect(await diagnosis({ headers, body, secret: padded })).toContain('trim it');
  });

  test.each([
    ['', otherSecret],
    [', with white space around it', ` ${otherSecret}\n`],
  ])('in another variable matches%s', async (_, value) => {
    vi.stubEnv('EMPTY_WEBHOOK_SECRET', 'whsec_');
    vi.stubEnv('OWN_WEBHOOK_SECRET', secret);
    vi.stubEnv('OTHER_STAGE', value);
    const { headers } = await delivery(usage, { secret: otherSecret });
    const line = await diagnosis({ headers, body });
    expect(line).toContain('secret in OTHER_STAGE matches');
    expect(line).not.toContain(otherSecret.slice(6));
  });

  test('is binary and matches nothing', async () => {
    const { headers } = await delivery(usage);
    const raw = new Uint8Array(32).fill(200);
    expect(await diagnosis({ headers, body, secret: raw })).toContain('another endpoint');
  });
});

describe('The diagnosis finds out that the signature', () => {
  const body = JSON.stringify(usage);
  const signed = `msg_1.${at}.${body}`;

  test.each([
    ['hex', `v1,${mac(keyBytes, signed, 'hex')}`, 'written as hex'],
    ['bare base64', mac(keyBytes, signed), 'written as base64'],
    [
      'unpadded base64',
      `v1,${mac(keyBytes, signed).replace('=', '')}`,
      'written as unpadded base64',
    ],
    ['of SHA-512', `v1,${sha512(signed)}`, 'signed with SHA-512'],
    ['base64 after the name of its algorithm', `sha256=${mac(keyBytes, signed)}`, 'as base64'],
    ['over only the body', `sha256=${mac(keyBytes, body, 'hex')}`, 'covers only the body'],
    ['over time and body', `t=${at},v1=${mac(keyBytes, `${at}.${body}`, 'hex')}`, 'time and body'],
    ['without a digest', 'hello', 'contains no digest'],
  ])('is %s', async (_name, signature, words) => {
    expect(await diagnosis({ headers: headersOf(signature), body })).toContain(words);
  });

  test('is of the standard scheme, not of the configured HMAC of the body', async () => {
    const { headers } = await delivery(usage);
    const { 'webhook-signature': _, ...rest } = headers;
    expect(await diagnosis({ headers: rest, body, scheme: bodyHmac() })).toContain(
      'standardScheme()',
    );
  });
});

describe('The diagnosis', () => {
  const body = JSON.stringify(usage);
  const wrong = async () => (await delivery(usage, { secret: otherSecret })).headers;

  test('names the most likely cause when nothing matches', async () => {
    expect(await diagnosis({ headers: await wrong(), body })).toContain('another endpoint');
  });

  test('does not try bodies over its cap', async () => {
    const big = JSON.stringify({ text: 'x'.repeat(70_000) });
    expect(await diagnosis({ headers: await wrong(), body: big })).toContain('not diagnosed');
  });

  test.each([
    ['production', 0],
    [undefined, 1],
    ['development', 1],
  ])('under NODE_ENV %s is logged %i times', async (mode, times) => {
    vi.stubEnv('NODE_ENV', mode);
    const { diagnose: _, ...logger } = recorder();
    const given = { headers: await wrong(), body, secret, now, logger };
    await expect(verifyWebhook(given)).rejects.toThrow('signature_mismatch');
    expect(logger.lines).toHaveLength(times);
  });

  test.each([
    [false, 0],
    [true, 1],
  ])('by a handler whose logger has diagnose: %s is logged %i times', async (diagnose, times) => {
    const logger = recorder(diagnose);
    const diagnoses = () => logger.lines.filter((line) => line.includes('another endpoint'));
    const handler = makeHandler({ logger });
    expect((await handler(await request(usage, { secret: otherSecret }))).status).toBe(400);
    expect(diagnoses()).toHaveLength(times);
    await handler(new Request('https://app.example/', { method: 'POST' }));
    expect(diagnoses()).toHaveLength(times);
  });

  test('is made at most once a second, however many forged deliveries arrive', async () => {
    const logger = recorder(true);
    const diagnoses = () => logger.lines.filter((line) => line.includes('another endpoint'));
    let time = now();
    const handler = makeHandler({ logger, now: () => time });
    const forge = async (count: number) => {
      const forged = Array.from({ length: count }, () =>
        request(usage, { secret: otherSecret }).then(handler),
      );
      for (const { status } of await Promise.all(forged)) expect(status).toBe(400);
    };
    await forge(20);
    time += 999;
    await forge(1);
    expect(diagnoses()).toHaveLength(1);
    time += 1;
    await forge(5);
    expect(diagnoses()).toHaveLength(2);
  });
});
