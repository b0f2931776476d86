import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { formatKey, isWellFormedKey } from '../../../mock-server/domain/api-keys.ts';
import { contractServer, rejection } from './helpers.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEYS = '/api/auth/api-keys';

interface Key {
  id: string;
  key: string;
  hint: string;
}

const numberOf = (text: string) =>
  [...text].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);

test('a key consists of random bits and their checksum', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const key = formatKey(bytes);
      const [, secret, checksum] = /^cg_test_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(key) ?? [];
      expect(numberOf(secret ?? '')).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
      expect(numberOf(checksum ?? '')).toBe(BigInt(crc32(key.slice(0, -6))));
      expect(isWellFormedKey(key)).toBe(true);
    }),
    { numRuns: 50, seed: 1 },
  );
});

test('one wrong character is detected without a lookup', () => {
  const key = formatKey(new Uint8Array(32).fill(7));
  fc.assert(
    fc.property(fc.nat(48), fc.constantFrom(...DIGITS), (at, digit) => {
      const index = 'cg_test_'.length + at;
      const typo = key.slice(0, index) + digit + key.slice(index + 1);
      expect(isWellFormedKey(typo)).toBe(typo === key);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('a new key has the role member and never expires by default', async () => {
  const { ok, mock } = contractServer();
  const made = await ok<Key>('POST', KEYS);
  expect(made).toMatchObject({
    name: 'API key',
    role: 'member',
    expiresAt: null,
    organization: mock.organization,
    project: internalsOf(mock).project,
    createdBy: expect.stringMatching(/^key_/),
  });
  await mock.clock.advance('3650 days');
  await ok('GET', '/api/usage', undefined, { key: made.key });
});

test('the hint shows the prefix and the last four characters, only the create response shows the key, and its SHA-256 is stored', async () => {
  const { ok, mock } = contractServer();
  const { id, key, hint } = await ok<Key>('POST', KEYS);
  expect(hint).toBe(`cg_test_…${key.slice(-4)}`);
  const shown = JSON.stringify([await ok('GET', KEYS), await ok('GET', `${KEYS}/${id}`)]);
  expect(shown).not.toContain(key);
  const stored = JSON.stringify(mock.snapshot());
  expect(stored).not.toContain(key);
  expect(stored).toContain(createHash('sha256').update(key).digest('hex'));
});

test('regenerating without a grace period revokes the old key at once', async () => {
  const { ok, call } = contractServer();
  const old = await ok<Key>('POST', KEYS, { name: 'ci', role: 'admin' });
  const made = await ok<Key>('POST', `${KEYS}/${old.id}/regenerate`);
  expect(made).toMatchObject({ name: 'ci', role: 'admin', regeneratedFrom: old.id });
  const rejected = await call('GET', '/api/usage', undefined, { key: old.key });
  expect(await rejection(rejected)).toEqual([401, 'revoked_api_key']);
  await ok('GET', '/api/usage', undefined, { key: made.key });
});

test('during a grace period both keys work; then the old one has expired', async () => {
  const { ok, call, mock } = contractServer();
  const old = await ok<Key>('POST', KEYS);
  await ok('POST', `${KEYS}/${old.id}/regenerate`, { gracePeriodSeconds: 60 });
  await mock.clock.advance(59_999);
  await ok('GET', '/api/usage', undefined, { key: old.key });
  expect(await ok('GET', `${KEYS}/${old.id}`)).toMatchObject({ status: 'active' });
  await mock.clock.advance(1);
  const rejected = await call('GET', '/api/usage', undefined, { key: old.key });
  expect(await rejection(rejected)).toEqual([401, 'expired_api_key']);
  const again = await call('POST', `${KEYS}/${old.id}/regenerate`);
  expect(await rejection(again)).toEqual([409, 'invalid_state']);
});

test('a grace period never extends the old key, and the new key keeps its expiry', async () => {
  const { ok } = contractServer();
  const expiresAt = '2026-01-01T00:00:30.000Z';
  const old = await ok<Key>('POST', KEYS, { expiresAt });
  const made = await ok('POST', `${KEYS}/${old.id}/regenerate`, { gracePeriodSeconds: 3600 });
  expect(made).toMatchObject({ expiresAt });
  expect(await ok('GET', `${KEYS}/${old.id}`)).toMatchObject({ expiresAt });
});

test('a key can revoke itself, which takes effect at once', async () => {
  const { ok, call } = contractServer();
  const { id, key } = await ok<Key>('POST', KEYS, { role: 'admin' });
  await ok('POST', `${KEYS}/${id}/revoke`, undefined, { key });
  const rejected = await call('GET', '/api/usage', undefined, { key });
  expect(await rejection(rejected)).toEqual([401, 'revoked_api_key']);
});

test('a cursor of another list or another project is rejected', async () => {
  const { ok, call, mock } = contractServer();
  await ok('POST', KEYS);
  const { nextCursor } = await ok<{ nextCursor: string }>('GET', `${KEYS}?limit=1`);
  const cursor = `cursor=${encodeURIComponent(nextCursor)}`;
  expect((await call('GET', `${KEYS}?${cursor}`)).status).toBe(200);
  const tenant = mock.createOrganization();
  for (const response of [
    await call('GET', `/api/webhooks?${cursor}`),
    await call('GET', `${KEYS}?${cursor}`, undefined, { key: tenant.adminKey }),
    await call('GET', `${KEYS}?${cursor}x`),
  ]) {
    expect(await rejection(response)).toEqual([400, 'invalid_request']);
  }
});
