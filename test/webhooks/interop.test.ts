import { signWebhook, verifyWebhook } from 'contentgen/webhooks';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { bodyHmac } from '../support/body-hmac.ts';
import { otherSecret, secret, usage } from './support.ts';

const bodies = [
  JSON.stringify(usage),
  '{"name":"Zoë 😀 — ünïcode"}',
  ' {"a" : 1}\r\n',
  JSON.stringify({ text: 'x'.repeat(300_000) }),
];
const time = () => new Date(Math.floor(Date.now() / 1000) * 1000);

describe('Standard Webhooks', () => {
  test.each(bodies)('its library verifies what we sign (%#)', async (body) => {
    const headers = await signWebhook({ id: 'msg_1', timestamp: time(), body, secret });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test.each(bodies)('we verify what its library signs (%#)', async (body) => {
    const timestamp = time();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp.getTime() / 1000),
      'webhook-signature': new Webhook(secret).sign('msg_1', timestamp, body),
    };
    expect((await verifyWebhook({ body, headers, secret })).payload).toEqual(JSON.parse(body));
  });

  test('receivers with the old and with the new secret verify during a rotation', async () => {
    const body = JSON.stringify(usage);
    const headers = await signWebhook({ body, secret: [otherSecret, secret], timestamp: time() });
    for (const one of [secret, otherSecret])
      expect(new Webhook(one).verify(body, headers)).toEqual(usage);
  });
});

describe("GitHub's webhooks", () => {
  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
  const known = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const scheme = bodyHmac({ prefix: 'sha256=', header: 'X-Hub-Signature-256' });
  const bytes = (text: string) => new TextEncoder().encode(text);
  const message = {
    id: 'msg_1',
    timestamp: 1_767_225_600,
    body: bytes('Hello, World!'),
    secrets: [bytes("It's a Secret to Everybody")],
  };

  test('we sign and accept the example in their documentation', async () => {
    expect(await scheme.sign(message)).toMatchObject({ 'X-Hub-Signature-256': known });
    expect(await scheme.check({ ...message, signature: known })).toBe('valid');
    const changed = { ...message, body: bytes('Hello, World?'), signature: known };
    expect(await scheme.check(changed)).toBe('signature_mismatch');
  });
});
