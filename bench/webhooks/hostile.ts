import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { signWebhook, verifyWebhook } from '../../src/webhooks/index.ts';
import { received, type Verifier } from './verifiers.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Deliveries that try to make a verifier work hard, with one and ten raw HMACs as the baseline. */
export async function hostile(): Promise<Record<string, Verifier>> {
  const body = Buffer.from(
    JSON.stringify({ event: 'usage_threshold', organization: 'x'.repeat(240) }),
  );
  const { 'X-Service-Signature': good = '', ...signed } = await signWebhook({
    id: 'msg_01kdvsz0g0m3k5h7j9n1b2d4se',
    body,
    secret,
  });
  const forged = `v1,${'A'.repeat(43)}=`;
  const secrets = Array.from({ length: 9 }, (_, n) => new Uint8Array(32).fill(n));
  const key = createSecretKey(Buffer.from(secret.slice(6), 'base64'));
  const given = Buffer.from(good.slice(3), 'base64');
  const head = `${signed['webhook-id']}.${signed['webhook-timestamp']}.`;
  const hmac = () =>
    timingSafeEqual(createHmac('sha256', key).update(head).update(body).digest(), given);
  const verifyWith = (
    signature: string,
    all: (string | Uint8Array)[] = [secret],
    more: object = {},
  ) => {
    const sent = { ...signed, 'webhook-signature': signature, ...more };
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, received(value)]),
    );
    return () =>
      verifyWebhook({ body, headers, secret: all, logger: { ...console, diagnose: false } });
  };
  return {
    createHmac: async () => hmac(),
    '10 × createHmac': async () => {
      for (let n = 0; n < 10; n++) hmac();
    },
    valid: verifyWith(good),
    forged: verifyWith(forged),
    '16 forged signatures': verifyWith(new Array(16).fill(forged).join(' ')),
    '16 signatures, the last is valid': verifyWith([...new Array(15).fill(forged), good].join(' ')),
    '300 signatures': verifyWith(new Array(300).fill(forged).join(' ')),
    'a header of 8 KiB': verifyWith('v1,'.padEnd(8192, 'A')),
    'a day old': verifyWith(good, [secret], { 'webhook-timestamp': '1767225600' }),
    '10 secrets': verifyWith(good, [...secrets, secret]),
    '10 secrets, 16 signatures': verifyWith([...new Array(15).fill(forged), good].join(' '), [
      ...secrets,
      secret,
    ]),
  };
}
