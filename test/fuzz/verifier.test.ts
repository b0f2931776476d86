import { sampleTypes } from 'contentgen/testing';
import {
  createWebhookHandler,
  signWebhook,
  standardScheme,
  verifyWebhook,
  WebhookConfigurationError,
  WebhookVerificationError,
} from 'contentgen/webhooks';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyHmac } from '../support/body-hmac.ts';
import { check, patience } from './check.ts';
import { bytes, headerValue, jsonObject, text } from './hostile.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const now = () => 1_767_225_600_000;
const timestamp = now() / 1000;
const options = ['secret', 'token', 'tolerance', 'maxBodyBytes', 'deployment', 'now', 'scheme'];
const quiet = { logger: { warn() {}, error() {}, diagnose: false }, now } as const;
const names = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'X-Service-Signature',
  'X-Service-Token',
  'content-encoding',
  'content-length',
];

const scheme = fc.constantFrom(
  standardScheme(),
  bodyHmac(),
  bodyHmac({ algorithm: 'sha512', encoding: 'base64', prefix: 'sha512=' }),
);
const headers = fc.dictionary(
  fc.oneof(
    fc.constantFrom(...names),
    fc.constantFrom(...names).map((name) => name.toUpperCase()),
    text,
  ),
  fc.oneof(headerValue, text, fc.array(text, { maxLength: 3 }), fc.constant(undefined)),
);
const token = fc.oneof(
  fc.constantFrom('v1,', 'v2,AAAA', 'v1,AAAA', 'v1a,b', ',', 'v1'),
  fc.base64String({ maxLength: 60 }).map((digest) => `v1,${digest}`),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((digest) => {
    return `v1,${Buffer.from(digest).toString('base64')}`;
  }),
);

describe('the verifier', { timeout: patience }, () => {
  test('throws one of its two errors for any headers, body and options', async () => {
    const input = fc.record({
      headers: fc.oneof(headers, fc.anything() as fc.Arbitrary<never>),
      body: fc.oneof(bytes, text, fc.anything()),
      options: fc.oneof(fc.constant({ secret }), fc.object({ key: fc.constantFrom(...options) })),
      scheme,
    });
    await check(
      fc.asyncProperty(input, async ({ headers, body, options, scheme }) => {
        const given = { ...quiet, scheme, ...options, headers, body };
        const error = await verifyWebhook(given as never).then(
          () => new Error('accepted'),
          (thrown: unknown) => thrown,
        );
        const expected =
          error instanceof WebhookVerificationError || error instanceof WebhookConfigurationError;
        if (!expected) throw error;
        expect(String(error)).not.toContain(secret.slice(6, 20));
      }),
      400,
    );
  });

  test('accepts a genuine signature among up to sixteen, in any order', async () => {
    const input = fc.record({
      body: jsonObject.map((value) => JSON.stringify(value)),
      // `Headers` joins two headers with a comma and a space, which is rejected.
      others: fc.array(
        token.filter((one) => !one.endsWith(',')),
        { maxLength: 15 },
      ),
      at: fc.nat(15),
    });
    await check(
      fc.asyncProperty(input, async ({ body, others, at }) => {
        const signed = await signWebhook({ id: 'msg_1', timestamp, body, secret });
        const tokens = [...others];
        tokens.splice(Math.min(at, tokens.length), 0, signed['webhook-signature'] as string);
        const list = tokens.join(' ');
        const headers = { ...signed, 'webhook-signature': list, 'X-Service-Signature': list };
        const event = await verifyWebhook({ ...quiet, headers, body, secret });
        expect(event.payload).toEqual(JSON.parse(body));
      }),
    );
  });

  test('rejects a list without a genuine signature', async () => {
    await check(
      fc.asyncProperty(fc.array(token, { maxLength: 20 }), bytes, async (tokens, body) => {
        const list = tokens.join(' ');
        const headers = {
          'webhook-id': 'msg_1',
          'webhook-timestamp': `${timestamp}`,
          'webhook-signature': list,
        };
        await expect(verifyWebhook({ ...quiet, headers, body, secret })).rejects.toThrow(
          WebhookVerificationError,
        );
      }),
      300,
    );
  });

  test('rejects any changed byte of the body, id, timestamp or digest', async () => {
    const input = fc.record({
      body: jsonObject.map((value) => new TextEncoder().encode(JSON.stringify(value))),
      at: fc.nat(),
      flip: fc.integer({ min: 1, max: 255 }),
      part: fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
    });
    await check(
      fc.asyncProperty(input, async ({ body, at, flip, part }) => {
        const signed = await signWebhook({ id: 'msg_1', timestamp, body, secret });
        delete signed['X-Service-Signature'];
        const changed = part === 'body' ? Uint8Array.from(body) : Buffer.from(signed[part] ?? '');
        changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ flip;
        const value = Buffer.from(changed).toString('latin1');
        const headers = part === 'body' ? signed : { ...signed, [part]: value };
        await expect(
          verifyWebhook({ ...quiet, headers, body: part === 'body' ? changed : body, secret }),
        ).rejects.toThrow(WebhookVerificationError);
      }),
      300,
    );
  });
});

describe('the receiver', { timeout: patience }, () => {
  test('rejects every unsigned request with a documented status and runs no callback', async () => {
    const seen: unknown[] = [];
    const callback = (event: unknown) => void seen.push(event);
    const handler = createWebhookHandler({
      ...quiet,
      secret,
      on: { generation_completed: callback, usage_threshold: callback },
      onOther: callback,
    });
    const input = fc.record({
      method: fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH'),
      headers: fc.array(fc.tuple(fc.constantFrom(...names), headerValue), { maxLength: 8 }),
      body: bytes,
    });
    await check(
      fc.asyncProperty(input, async ({ method, headers, body }) => {
        const request = new Request('https://app.example/', { method, headers, body });
        const response = await handler(request);
        expect([400, 405, 413, 415]).toContain(response.status);
        expect(Object.keys((await response.json()) as object)).toEqual(['code']);
      }),
      300,
    );
    expect(seen).toEqual([]);
  });

  test('passes any signed JSON object to exactly one callback, unchanged', async () => {
    await check(
      fc.asyncProperty(jsonObject, async (value) => {
        const payload = JSON.parse(JSON.stringify(value));
        const seen: unknown[] = [];
        const callback = (event: { payload: unknown }) => void seen.push(event.payload);
        const handler = createWebhookHandler({
          ...quiet,
          secret,
          on: Object.fromEntries(sampleTypes.map((type) => [type, callback])),
          onOther: callback,
        });
        const body = JSON.stringify(payload);
        const headers = await signWebhook({ timestamp, body, secret });
        const response = await handler(
          new Request('https://app.example/', { method: 'POST', headers, body }),
        );
        expect([response.status, seen]).toEqual([200, [payload]]);
      }),
    );
  });
});
