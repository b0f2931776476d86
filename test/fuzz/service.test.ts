import { createMockServer } from 'contentgen/mock';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWellFormedKey } from '../../mock-server/domain/api-keys.ts';
import { check, patience } from './check.ts';
import { bytes, headerValue, jsonObject, text } from './hostile.ts';

const base = 'https://api.contentgen.test';
const path = fc.oneof(
  fc.constantFrom(
    '/api/ai/content/generate',
    '/v2/api/ai/content/generate',
    '/api/auth/api-keys',
    '/api-keys/generate',
    '/api/webhooks',
    '/api/webhooks/deliveries',
    '/api/webhooks/signing-secret',
    '/api/usage',
    '/.well-known/jwks.json',
  ),
  fc.webPath(),
  text.map((value) => `/api/webhooks/${encodeURIComponent(value.toWellFormed())}`),
);
const query = fc.oneof(
  fc.constant(''),
  fc.webQueryParameters().map((value) => `?${value}`),
  text.map((value) => `?cursor=${encodeURIComponent(value.toWellFormed())}&limit=1`),
);
const fields = fc.oneof(
  jsonObject,
  fc.record(
    {
      prompt: fc.oneof(text, fc.jsonValue()),
      webhookUrl: fc.oneof(fc.webUrl(), text, fc.constant('http://169.254.169.254/')),
      maxTokens: fc.oneof(fc.integer(), fc.double()),
      temperature: fc.double(),
      seed: fc.maxSafeInteger(),
      stream: fc.boolean(),
      metadata: fc.jsonValue(),
      model: fc.oneof(fc.constant('content-1'), text),
    },
    { requiredKeys: [] },
  ),
  fc.record(
    {
      event: fc.oneof(fc.constant('usage_threshold'), text),
      url: fc.oneof(fc.webUrl(), text),
      threshold: fc.double(),
      secret: text,
      token: text,
      name: text,
      role: fc.oneof(fc.constantFrom('admin', 'member'), text),
      expiresAt: fc.oneof(fc.date({ noInvalidDate: true }).map(String), text),
      overlapSeconds: fc.double(),
    },
    { requiredKeys: [] },
  ),
);

describe('the reference server', { timeout: patience }, () => {
  test('responds to any request with a status below 500, and to a rejected one with problem details', async () => {
    const errors: unknown[] = [];
    const mock = createMockServer({ clock: 'manual', seed: 1, onError: (e) => errors.push(e) });
    const input = fc.record({
      method: fc.constantFrom('GET', 'POST', 'POST', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
      path,
      query,
      headers: fc.dictionary(
        fc.constantFrom('idempotency-key', 'x-request-id', 'accept', 'authorization'),
        headerValue,
      ),
      type: fc.oneof(fc.constant('application/json'), headerValue),
      body: fc.oneof(
        bytes,
        fields.map((value) => JSON.stringify(value)),
        fields.map((value) => JSON.stringify(value)),
      ),
    });
    await check(
      fc.asyncProperty(input, async ({ method, path, query, headers, type, body }) => {
        const sendsBody = method === 'POST' || method === 'PATCH';
        const response = await mock.fetch(`${base}${path}${query}`, {
          method,
          headers: { ...headers, 'X-API-Key': mock.adminKey, 'content-type': type },
          ...(sendsBody && { body }),
        });
        const text = await response.text();
        expect(response.status).toBeLessThan(500);
        expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
        if (response.status < 400 || method === 'HEAD') return;
        expect(response.headers.get('content-type')).toBe('application/problem+json');
        expect(JSON.parse(text)).toMatchObject({
          status: response.status,
          code: expect.stringMatching(/^[a-z_]+$/),
          requestId: response.headers.get('x-request-id'),
        });
      }),
      500,
    );
    await mock.clock.advance('5 days');
    expect(errors).toEqual([]);
    await mock.close();
  });

  test('discloses nothing but a 401 without a valid credential', async () => {
    const mock = createMockServer({ clock: 'manual', seed: 1 });
    const input = fc.record({
      path: path.filter((value) => value.startsWith('/api')),
      query,
      name: fc.constantFrom('X-API-Key', 'Authorization'),
      value: fc.oneof(
        headerValue,
        headerValue.map((value) => `Bearer ${value}`),
        fc.base64String().map((value) => `Bearer eyJhbGciOiJub25lIn0.${value}.`),
      ),
      body: fields,
    });
    await check(
      fc.asyncProperty(input, async ({ path, query, name, value, body }) => {
        fc.pre(value.trim() !== '' && !isWellFormedKey(value));
        const response = await mock.fetch(`${base}${path}${query}`, {
          method: 'POST',
          headers: { [name]: value, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('ApiKey');
      }),
      300,
    );
    await mock.close();
  });
});
