import { signWebhook, verifyWebhook } from '../../src/webhooks/index.ts';
import type { Verifier } from './verifiers.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Deliveries that try to make a verifier work hard. */
export async function hostile(): Promise<Record<string, Verifier>> {
  const body = Buffer.from(
    JSON.stringify({ event: 'usage_threshold', organization: 'x'.repeat(240) }),
  );
  const { 'X-Service-Signature': good = '', ...headers } = await signWebhook({
    id: 'msg_01kdvsz0g0m3k5h7j9n1b2d4se',
    body,
    secret,
  });
  const forged = `v1,${'A'.repeat(43)}=`;
  const secrets = Array.from({ length: 9 }, (_, n) => new Uint8Array(32).fill(n));
  const verifyWith =
    (signature: string, all: (string | Uint8Array)[] = [secret]) =>
    () =>
      verifyWebhook({
        body,
        headers: { ...headers, 'webhook-signature': signature },
        secret: all,
        diagnose: false,
      });
  return {
    valid: verifyWith(good),
    forged: verifyWith(forged),
    '16 forged signatures': verifyWith(new Array(16).fill(forged).join(' ')),
    '300 signatures': verifyWith(new Array(300).fill(forged).join(' ')),
    '10 secrets': verifyWith(good, [...secrets, secret]),
    '10 secrets, 16 signatures': verifyWith([...new Array(15).fill(forged), good].join(' '), [
      ...secrets,
      secret,
    ]),
  };
}
