import { verifyWebhook } from 'contentgen/webhooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, delivery, now, otherSecret, outcome, secret, usage } from './support.ts';

const base = { secret, now, logger: { ...console, diagnose: false } } as const;

describe('For any input', () => {
  test('a body with any byte changed is rejected', async () => {
    const { body, headers } = await delivery(usage);
    const original = new TextEncoder().encode(body);
    const place = fc.nat(original.length - 1);
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (index, flip) => {
        const changed = Uint8Array.from(original);
        changed[index] = (changed[index] as number) ^ flip;
        const got = await outcome(verifyWebhook({ ...base, body: changed, headers }));
        expect(got).toBe('signature_mismatch');
      }),
    );
  });

  test('any other body is rejected', async () => {
    const { headers, body } = await delivery(usage);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        fc.pre(Buffer.from(bytes).toString() !== body);
        const got = await outcome(verifyWebhook({ ...base, body: bytes, headers }));
        expect(got).toBe('signature_mismatch');
      }),
    );
  });

  test('the valid signature is found among any others, in any order', async () => {
    const { body, headers } = await delivery(usage);
    const good = headers['webhook-signature'] as string;
    const foreign = fc.stringMatching(/^v[0-9a-z]{0,3},[A-Za-z0-9+/]{0,60}={0,2}$/);
    const junk = fc.stringMatching(/^[!-+\--~]{1,40}$/);
    const others = fc.array(fc.oneof(foreign, junk), { maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(others, fc.nat(15), async (list, place) => {
        const tokens = [...list.slice(0, place), good, ...list.slice(place)].filter(
          (token) => !token.endsWith(','),
        );
        fc.pre(tokens.join(' ').length <= 2048);
        const sent = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(at),
          'webhook-signature': tokens.join(' '),
        };
        expect(await outcome(verifyWebhook({ ...base, body, headers: sent }))).toBe('accept');
      }),
    );
  });

  test('another id, time or secret is rejected', async () => {
    const { body, headers } = await delivery(usage);
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/),
        fc.integer({ min: at - 120, max: at + 120 }),
        async (id, time) => {
          fc.pre(id !== 'msg_1' || time !== at);
          const sent = { ...headers, 'webhook-id': id, 'webhook-timestamp': String(time) };
          const got = outcome(verifyWebhook({ ...base, body, headers: sent, tolerance: 120 }));
          expect(await got).toBe('signature_mismatch');
        },
      ),
    );
    expect(await outcome(verifyWebhook({ ...base, secret: otherSecret, body, headers }))).toBe(
      'signature_mismatch',
    );
  });

  test('only the two error classes are thrown, and nothing unsigned is accepted', async () => {
    const names = fc.constantFrom(
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'X-Service-Signature',
      'content-encoding',
      'content-length',
      'toString',
      '__proto__',
    );
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('msg_1', String(at), `v1,${'A'.repeat(43)}=`),
      fc.anything(),
    );
    const headers = fc.oneof(
      fc.dictionary(names, value),
      fc.array(fc.tuple(names, value)),
      fc.array(fc.tuple(names, fc.string())).map((pairs) => new Map(pairs)),
      fc.anything(),
    );
    const body = fc.oneof(fc.string(), fc.uint8Array(), fc.anything());
    await fc.assert(
      fc.asyncProperty(headers, body, async (sent, received) => {
        const options = { ...base, headers: sent as never, body: received as never };
        const error = await verifyWebhook(options).then(
          () => 'accepted',
          (reason) => reason.name,
        );
        expect(['WebhookVerificationError', 'WebhookConfigurationError']).toContain(error);
      }),
      { numRuns: 1000 },
    );
  });

  test('no option, however wrong, causes any other error', async () => {
    const { body, headers } = await delivery(usage);
    const options = fc.record(
      {
        secret: fc.oneof(fc.constant(secret), fc.anything()),
        token: fc.anything(),
        tolerance: fc.anything(),
        maxBodyBytes: fc.anything(),
        scheme: fc.anything(),
        now: fc.anything(),
        deployment: fc.anything(),
        validate: fc.anything(),
      },
      { requiredKeys: ['secret'] },
    );
    await fc.assert(
      fc.asyncProperty(options, async (given) => {
        const error = await verifyWebhook({
          logger: { ...console, diagnose: false },
          now,
          body,
          headers,
          ...(given as object),
        } as never).then(
          () => 'accepted',
          (reason) => reason.name,
        );
        expect(['accepted', 'WebhookVerificationError', 'WebhookConfigurationError']).toContain(
          error,
        );
      }),
      { numRuns: 500 },
    );
  });

  test.each([undefined, null, 7, 'text', () => {}])(
    'that includes no options at all (%o)',
    async (given) => {
      expect(await outcome(verifyWebhook(given as never))).toBe('WebhookConfigurationError');
    },
  );
});
