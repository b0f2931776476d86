import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { platform } from '../../../mock-server/platform/crypto.ts';

const node = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

test('the digest is the same without node:crypto', () => {
  const native = platform();
  const process = globalThis.process;
  try {
    Reflect.deleteProperty(globalThis, 'process');
    const portable = platform();
    expect(portable.digest('clé')).toBe(native.digest('clé'));
    expect(portable.digest(new Uint8Array([1, 2]))).toBe(native.digest(new Uint8Array([1, 2])));
  } finally {
    globalThis.process = process;
  }
  expect(native.digest('clé')).toBe(node('clé'));
});

test('sealed text opens only with its own secret and unchanged', async () => {
  const { seal, unseal } = platform();
  const sealed = await seal('cg_test_key', 'idempotency-key-1');
  expect(sealed).not.toContain('cg_test');
  expect(await unseal(sealed, 'idempotency-key-1')).toBe('cg_test_key');
  expect(await unseal(sealed, 'idempotency-key-2')).toBeUndefined();
  const flipped = (sealed[40] === 'A' ? 'B' : 'A') + sealed.slice(41);
  expect(await unseal(sealed.slice(0, 40) + flipped, 'idempotency-key-1')).toBeUndefined();
  expect(await unseal('not base64!', 'x')).toBeUndefined();
  expect(await seal('cg_test_key', 'idempotency-key-1')).not.toBe(sealed);
});

test('what is missing is named, with the Node and the environment that have it', () => {
  // As on Node 18.
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto') as PropertyDescriptor;
  Reflect.deleteProperty(globalThis, 'crypto');
  try {
    expect(platform).toThrow(/ no crypto here\. On Node, use 20\.19 or later\. .*jest-fixed-jsdom/);
  } finally {
    Object.defineProperty(globalThis, 'crypto', own);
  }
});
