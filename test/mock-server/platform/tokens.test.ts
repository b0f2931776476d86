import { describe, expect, test } from 'vitest';
import type { TokenClaims } from '../../../mock-server/domain/ports.ts';
import { createTokenAuthority } from '../../../mock-server/platform/tokens.ts';
import { memoryStore } from '../../../mock-server/stores/memory.ts';

const issuer = 'https://api.contentgen.test';
const now = 1_800_000_000;
const claims: TokenClaims = {
  sub: 'usr_1',
  org: 'org_1',
  project: 'prj_1',
  role: 'admin',
  iat: now,
  exp: now + 3600,
};
const invalid = { ok: false, code: 'invalid_token' };

describe('signing keys', () => {
  test('tokens outlive the process', async () => {
    const store = memoryStore();
    const token = await createTokenAuthority({ issuer, store }).issue(claims);
    const next = memoryStore();
    next.restore(store.snapshot());
    expect(JSON.stringify(store.snapshot())).toMatch(/"d":"[\w-]{43}"/);
    const authority = createTokenAuthority({ issuer, store: next });
    expect(await authority.verify(token, now)).toEqual({ ok: true, claims, issuedHere: true });
    expect(JSON.stringify(await authority.jwks())).not.toMatch(/"(d|p|q|dp|dq|qi|k)":/);
    expect(await authority.verify(await authority.issue(claims), now)).toHaveProperty('ok', true);
  });

  test('a reset keeps them, and a restored snapshot brings its own', async () => {
    const store = memoryStore();
    const other = memoryStore();
    const authority = createTokenAuthority({ issuer, store });
    const own = await authority.issue(claims);
    const foreign = await createTokenAuthority({ issuer, store: other }).issue(claims);
    store.restore({});
    expect(await authority.verify(own, now)).toHaveProperty('ok', true);
    expect(store.table('signingKeys').count()).toBe(1);
    expect(await authority.verify(foreign, now)).toEqual(invalid);
    store.restore(other.snapshot());
    expect(await authority.verify(foreign, now)).toHaveProperty('ok', true);
    expect(await authority.verify(own, now)).toEqual(invalid);
  });
});

test('the leeway is exactly 30 seconds in both directions', async () => {
  const authority = createTokenAuthority({ issuer, store: memoryStore() });
  const token = await authority.issue(claims);
  expect(await authority.verify(token, claims.exp + 29)).toMatchObject({ ok: true });
  expect(await authority.verify(token, claims.exp + 31)).toEqual({
    ok: false,
    code: 'expired_token',
  });
  expect(await authority.verify(token, now - 30)).toMatchObject({ ok: true });
  expect(await authority.verify(token, now - 31)).toEqual(invalid);
});
