import { expect, test } from 'vitest';
import { operationDetails, operations } from '../../../src/generated/operations.ts';
import { contractServer, GENERATE, rejection } from './helpers.ts';

const nobody = { key: null };

test('without credentials every path, method and body gets the same 401', async () => {
  const { call } = contractServer();
  const asked = [
    call('GET', '/api/usage', undefined, nobody),
    call('GET', '/no/such/path', undefined, nobody),
    call('PUT', '/api/usage', undefined, nobody),
    call('OPTIONS', '/api/usage', undefined, nobody),
    call('GET', '/api/usage?unknown=1', undefined, nobody),
    call('GET', `${GENERATE}/gen_nope`, undefined, nobody),
    call('POST', GENERATE, undefined, { ...nobody, raw: 'not json' }),
    call('POST', GENERATE, undefined, { ...nobody, raw: 'x'.repeat(2 * 1024 * 1024) }),
    call('POST', '/api/auth/api-keys', {}, { ...nobody, headers: { 'idempotency-key': ' ' } }),
  ];
  for (const response of await Promise.all(asked)) {
    const { requestId, ...problem } = await response.json();
    expect(problem).toMatchObject({ status: 401, code: 'missing_credentials' });
    expect(response.headers.get('allow')).toBeNull();
    expect(requestId).toMatch(/^req_/);
  }
});

test('the public documents and preflights need no credentials', async () => {
  const { call } = contractServer();
  expect((await call('GET', '/.well-known/jwks.json', undefined, nobody)).status).toBe(200);
  const contract = await call('GET', '/openapi.yaml', undefined, nobody);
  expect(await contract.text()).toMatch(/^openapi: 3\.1/);
  expect(contract.headers.get('access-control-allow-origin')).toBe('*');
  const head = await call('HEAD', '/openapi.yaml', undefined, nobody);
  expect([head.status, await head.text()]).toEqual([200, '']);
  const preflight = await call('OPTIONS', GENERATE, undefined, {
    key: null,
    headers: {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key, content-type',
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-headers')).toBe('x-api-key, content-type');
  expect(preflight.headers.get('access-control-max-age')).toBe('600');
});

test.each<[method: string, path: string, allow: string]>([
  ['PUT', '/api/webhooks', 'GET, HEAD, POST'],
  ['OPTIONS', '/api/usage', 'GET, HEAD'],
  // Paths of their own, and not registrations with that id.
  ...['DELETE', 'PATCH', 'POST'].flatMap((method): [string, string, string][] => [
    [method, '/api/webhooks/deliveries', 'GET, HEAD'],
    [method, '/v2/api/webhooks/signing-secret', 'GET, HEAD'],
  ]),
  ['PUT', '/.well-known/jwks.json', 'GET, HEAD'],
  ['PUT', '/openapi.yaml', 'GET, HEAD'],
])('%s %s is 405 with Allow, for every role', async (method, path, allow) => {
  const { call, mock } = contractServer();
  for (const key of [mock.memberKey, mock.adminKey]) {
    const response = await call(method, path, undefined, { key });
    expect(response.headers.get('allow')).toBe(allow);
    expect(await rejection(response)).toEqual([405, 'method_not_allowed']);
  }
  expect((await call(method, path, undefined, nobody)).status).toBe(401);
});

test('the role is checked before the body is read and before any lookup', async () => {
  const { call, mock } = contractServer();
  const member = { key: mock.memberKey };
  const asked = [
    call('POST', '/api/webhooks', undefined, { ...member, raw: 'x'.repeat(2 * 1024 * 1024) }),
    call('GET', '/api/webhooks/wh_nope', undefined, member),
    call('POST', '/api/auth/api-keys', {}, { ...member, headers: { 'idempotency-key': 'a b' } }),
  ];
  for (const response of await Promise.all(asked)) {
    expect(await rejection(response)).toEqual([403, 'insufficient_permissions']);
  }
});

test('a member can call exactly the operations that the contract gives to members', () => {
  const ids = Object.keys(operations) as (keyof typeof operations)[];
  expect(ids.filter((id) => operationDetails[id].role === 'member').sort()).toEqual([
    'cancelGeneration',
    'generateContent',
    'getGeneration',
    'getUsage',
    'listGenerations',
  ]);
});

test('the rate limit comes before the body, the body before the idempotency key, and the key before validation', async () => {
  const { call } = contractServer({ rateLimit: { limit: 3, windowSeconds: 60 } });
  const large = { raw: 'x'.repeat(2 * 1024 * 1024), headers: { 'idempotency-key': 'a b' } };
  expect(await rejection(await call('POST', GENERATE, {}, large))).toEqual([
    413,
    'payload_too_large',
  ]);
  const spaced = { headers: { 'idempotency-key': 'a b' } };
  expect(await rejection(await call('POST', GENERATE, {}, spaced))).toEqual([
    400,
    'invalid_request',
  ]);
  expect(await rejection(await call('POST', GENERATE, {}))).toEqual([422, 'validation_failed']);
  expect(await rejection(await call('POST', GENERATE, {}, large))).toEqual([429, 'rate_limited']);
});

test("another project's record looks like one that does not exist", async () => {
  const { call, ok, mock } = contractServer();
  const { requestId } = await ok<{ requestId: string }>('POST', GENERATE, { prompt: 'mine' });
  const tenant = mock.createOrganization();
  const theirs = await call('GET', `${GENERATE}/${requestId}`, undefined, { key: tenant.adminKey });
  const none = await call('GET', `${GENERATE}/gen_nope`, undefined, { key: tenant.adminKey });
  const [one, other] = [await theirs.json(), await none.json()];
  expect({ ...one, requestId: '' }).toEqual({ ...other, requestId: '' });
});

test('a request id that no header can carry is not echoed', async () => {
  const { call } = contractServer();
  const headers = { 'x-request-id': 'not mine!' };
  const bad = await call('GET', '/api/usage', undefined, { headers });
  expect(bad.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
});
