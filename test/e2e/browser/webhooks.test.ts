import { signWebhook, verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import vectors from '../../vectors/webhooks.json' with { type: 'json' };

// Browsers have only Web Crypto: the same vectors as in Node must hold.
const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

describe('webhooks in a browser', () => {
  test.each(vectors.sign.filter((vector) => !vector.expect))('signs "$name"', async (vector) => {
    const { id, timestamp, secret, signature } = vector;
    const body = vector.bodyRepeat
      ? vector.bodyRepeat.text.repeat(vector.bodyRepeat.times)
      : vector.bodyBase64
        ? bytes(vector.bodyBase64)
        : (vector.body ?? '');
    const headers = await signWebhook({ id, timestamp, body, secret });
    expect(headers['webhook-signature']).toBe(signature);
  });

  test.each(vectors.verify)('verifies "$name"', async (vector) => {
    const { headers, secret, tolerance, expect: expected } = vector;
    const outcome = await verifyWebhook({
      headers: headers as Record<string, string>,
      body: bytes(vector.bodyBase64),
      secret,
      tolerance,
      now: () => vector.now * 1000,
      logger: { ...console, diagnose: false },
    }).then(
      () => 'accept',
      (error) => (error.name === 'WebhookConfigurationError' ? 'configuration' : error.code),
    );
    const best = expected.codes?.[0];
    expect(outcome).toBe(best ?? expected.outcome);
  });
});
