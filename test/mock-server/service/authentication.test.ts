import * as jose from 'jose';
import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { type ContractServer, contractServer, rejection } from './helpers.ts';

const usage = '/api/usage';
const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });

/** What the server says of a token. */
const verdictOn = async ({ call }: ContractServer, token: string) =>
  rejection(await call('GET', usage, undefined, bearer(token)));

// A revoked and an expired key: see api-keys.test.ts.
test('an empty, a short and a mistyped key are invalid', async () => {
  const { call, mock } = contractServer();
  const mistyped = `${mock.adminKey.slice(0, -1)}${mock.adminKey.endsWith('0') ? '1' : '0'}`;
  for (const key of ['', 'cg_test_short', mistyped]) {
    const rejected = await call('GET', usage, undefined, { key });
    expect(await rejection(rejected)).toEqual([401, 'invalid_api_key']);
  }
});

test('WWW-Authenticate names both schemes and says when a token is invalid', async () => {
  const { call } = contractServer();
  const none = await call('GET', usage, undefined, { key: null });
  expect(none.headers.get('www-authenticate')).toBe(
    'ApiKey realm="contentgen", Bearer realm="contentgen"',
  );
  const bad = await call('GET', usage, undefined, bearer('nope'));
  expect(bad.headers.get('www-authenticate')).toBe(
    'ApiKey realm="contentgen", Bearer realm="contentgen", error="invalid_token"',
  );
});

test('two credentials at once are rejected, even valid ones', async () => {
  const { call, mock } = contractServer();
  const token = await mock.issueToken({ role: 'admin' });
  const response = await call('GET', usage, undefined, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await rejection(response)).toEqual([401, 'multiple_credentials']);
});

test('a token that the server issued is accepted, as anyone can check with its JWKS', async () => {
  const { call, ok, mock } = contractServer();
  const token = await mock.issueToken({ role: 'member' });
  const { keys } = await ok<jose.JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { payload, protectedHeader } = await jose.jwtVerify(
    token,
    jose.createLocalJWKSet({ keys }),
    {
      issuer: mock.baseUrl,
      audience: 'contentgen',
      currentDate: new Date(mock.clock.now()),
    },
  );
  expect(protectedHeader.alg).toBe('ES256');
  const { organization: org } = mock;
  const { project } = internalsOf(mock);
  const exp = 1767225600 + 3600;
  expect(payload).toMatchObject({ org, project, role: 'member', exp });
  expect((await call('GET', usage, undefined, bearer(token))).status).toBe(200);
  const forbidden = await call('GET', '/api/webhooks', undefined, bearer(token));
  expect(await rejection(forbidden)).toEqual([403, 'insufficient_permissions']);
});

test('a token expires after one hour plus 30 seconds of leeway', async () => {
  const on = contractServer();
  const past = await on.mock.issueToken({ role: 'member', expiresIn: -60_000 });
  expect(await verdictOn(on, past)).toEqual([401, 'expired_token']);
  const token = await on.mock.issueToken({ role: 'member' });
  await on.mock.clock.advance(3_600_000 + 29_000);
  expect((await on.call('GET', usage, undefined, bearer(token))).status).toBe(200);
  await on.mock.clock.advance('2 seconds');
  expect(await verdictOn(on, token)).toEqual([401, 'expired_token']);
});

test('forged tokens are rejected: no algorithm, HMAC with the public key, a foreign key, a foreign issuer', async () => {
  const on = contractServer();
  const good = await on.mock.issueToken({ role: 'member' });
  const { keys } = await on.ok<jose.JSONWebKeySet>('GET', '/.well-known/jwks.json');
  const { kid = '' } = keys[0] ?? {};
  const claims = jose.decodeJwt(good);
  const { privateKey } = await jose.generateKeyPair('ES256');
  const sign = (alg: string, key: CryptoKey | Uint8Array) =>
    new jose.SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  const other = contractServer({ baseUrl: 'https://elsewhere.example' });
  for (const token of [
    new jose.UnsecuredJWT(claims).encode(),
    await sign('HS256', new TextEncoder().encode(JSON.stringify(keys[0]))),
    await sign('ES256', privateKey),
    await other.mock.issueToken({ role: 'admin' }),
    `${good.slice(0, -4)}AAAA`,
    ...['', 'a.b.c', 'Bearer', 'x'.repeat(10_000)],
  ]) {
    expect(await verdictOn(on, token)).toEqual([401, 'invalid_token']);
  }
  const basic = { key: null, headers: { authorization: 'Basic dXNlcjpwYXNz' } };
  const response = await on.call('GET', usage, undefined, basic);
  expect(await rejection(response)).toEqual([401, 'invalid_token']);
});

test('a token whose project does not belong to its organization is rejected', async () => {
  const on = contractServer();
  const { mock } = on;
  const tenant = mock.createOrganization();
  const mixed = [
    { organization: mock.organization, project: tenant.project },
    { organization: tenant.organization, project: internalsOf(mock).project },
    { organization: mock.organization, project: 'prj_of_nobody' },
  ];
  for (const claims of mixed) {
    const token = await mock.issueToken({ role: 'admin', ...claims });
    expect(await verdictOn(on, token)).toEqual([401, 'invalid_token']);
  }
});

/** A server that trusts another key, and a token signed with it. */
async function trusting() {
  const { publicKey, privateKey } = await jose.generateKeyPair('EdDSA');
  const alg = 'EdDSA';
  const kid = 'theirs';
  const on = contractServer({
    jwks: { keys: [{ ...(await jose.exportJWK(publicKey)), kid, alg }] },
  });
  const now = on.mock.clock.now() / 1000;
  const full = {
    ...{ iss: on.mock.baseUrl, aud: 'contentgen', iat: now, exp: now + 60 },
    ...{ sub: 'alice', org: 'acme', project: 'site-1', role: 'admin' },
  };
  const sign = (claims: object, header: object = { kid }, key = privateKey) =>
    new jose.SignJWT(JSON.parse(JSON.stringify({ ...full, ...claims })))
      .setProtectedHeader({ alg, ...header })
      .sign(key);
  return { on, now, sign };
}

test('tokens signed with a trusted key can name new organizations', async () => {
  const { on, now, sign } = await trusting();
  const first = await on.call('GET', usage, undefined, bearer(await sign({ nbf: now + 29 })));
  expect(await first.json()).toMatchObject({ organization: 'acme', used: 0 });
  const second = bearer(await sign({ project: 'site-2' }));
  const made = await on.call('POST', '/api/auth/api-keys', {}, second);
  expect(await made.json()).toMatchObject({ project: 'site-2', createdBy: 'alice' });
});

test.each<[flaw: string, claims: object, header?: object]>([
  ...['exp', 'iat', 'sub', 'org', 'project', 'role'].map(
    (claim) => [`without ${claim}`, { [claim]: undefined }] as [string, object],
  ),
  ['with another role', { role: 'owner' }],
  ['with an invalid org', { org: 'a/b' }],
  ['with spaces in its org', { org: 'a c/m e' }],
  ['with an empty sub', { sub: '' }],
  ['with a number as project', { project: 7 }],
  ['of another audience', { aud: 'else' }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['that is not yet valid', { nbf: Date.UTC(2026, 0, 1) / 1000 + 31 }],
  ['without a kid', {}, {}],
  ['with an unknown kid', {}, { kid: 'else' }],
])('a token %s is invalid, even if it is signed with a trusted key', async (_, claims, header) => {
  const { on, sign } = await trusting();
  expect(await verdictOn(on, await sign(claims, header))).toEqual([401, 'invalid_token']);
});

test('a token with its own key in its header is invalid', async () => {
  const { on, sign } = await trusting();
  const { publicKey, privateKey } = await jose.generateKeyPair('EdDSA');
  const header = { kid: 'theirs', jwk: await jose.exportJWK(publicKey) };
  expect(await verdictOn(on, await sign({}, header, privateKey))).toEqual([401, 'invalid_token']);
});

test('a key shows when it was last used', async () => {
  const { ok, mock } = contractServer();
  const { id, key } = await ok<{ id: string; key: string }>('POST', '/api/auth/api-keys');
  const shown = () => ok<{ lastUsedAt?: string }>('GET', `/api/auth/api-keys/${id}`);
  expect(await shown()).not.toHaveProperty('lastUsedAt');
  await mock.clock.advance('1 minute');
  await ok('GET', usage, undefined, { key });
  expect(await shown()).toMatchObject({ lastUsedAt: '2026-01-01T00:01:00.000Z' });
});
