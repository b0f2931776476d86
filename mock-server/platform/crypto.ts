import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Ports } from '../domain/ports.ts';

export interface Platform extends Pick<Ports, 'digest' | 'seal' | 'unseal'> {
  /** Fills the array with cryptographically strong random bytes. */
  readonly fillRandom: (bytes: Uint8Array) => void;
}

const SALT_BYTES = 16;
const NONCE_BYTES = 12;

/**
 * Digests with `node:crypto` where it exists; Web Crypto's digest is asynchronous, and the domain needs a synchronous
 * one.
 */
export function platform(): Platform {
  assertGlobals();
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  const encoder = new TextEncoder();
  return {
    digest: node?.hash
      ? (data) => node.hash('sha256', data, 'hex')
      : (data) => bytesToHex(sha256(typeof data === 'string' ? encoder.encode(data) : data)),
    seal,
    unseal,
    fillRandom: (bytes) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
  };
}

const GLOBALS = ['crypto', 'TextEncoder', 'Request', 'Response', 'ReadableStream'];

function assertGlobals(): void {
  const missing = GLOBALS.filter((name) => !(name in globalThis));
  if (missing.length === 0) return;
  throw new Error(
    `Failed to create the mock server: there is no ${missing.join(', no ')} here. On Node, use 20.19 or later. Jest's jsdom hides what Node has: set testEnvironment to jest-fixed-jsdom, or to node.`,
  );
}

async function seal(plaintext: string, secret: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv: nonce },
    await sealingKey(secret, salt, 'encrypt'),
    new TextEncoder().encode(plaintext),
  );
  return toBase64([...salt, ...nonce, ...new Uint8Array(sealed)]);
}

async function unseal(sealed: string, secret: string): Promise<string | undefined> {
  try {
    const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
    const salt = bytes.subarray(0, SALT_BYTES);
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES) },
      await sealingKey(secret, salt, 'decrypt'),
      bytes.subarray(SALT_BYTES + NONCE_BYTES),
    );
    return new TextDecoder().decode(opened);
  } catch {
    return undefined;
  }
}

async function sealingKey(
  secret: string,
  salt: Uint8Array<ArrayBuffer>,
  usage: 'encrypt' | 'decrypt',
): Promise<CryptoKey> {
  const encoder = new TextEncoder();
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, [
    'deriveKey',
  ]);
  const info = encoder.encode('contentgen idempotency v1');
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    [usage],
  );
}

const toBase64 = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes));
