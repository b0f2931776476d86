import type { Ports } from '../domain/ports.ts';
import { sha256Hex } from './sha256.ts';

/** What the server needs of the platform's cryptography. */
export interface Platform extends Pick<Ports, 'digest' | 'seal' | 'unseal'> {
  /** Fills with random bytes fit for secrets. */
  readonly fillRandom: (bytes: Uint8Array) => void;
}

const saltLength = 16;
const nonceLength = 12;
// Web Crypto fills no more than this at once.
const randomChunk = 65_536;

/** Binds to `node:crypto` where there is one, else to Web Crypto alone. */
export function platform(): Platform {
  const node = globalThis.process?.getBuiltinModule?.('node:crypto');
  const encoder = new TextEncoder();
  return {
    digest: node?.hash
      ? (data) => node.hash('sha256', data, 'hex')
      : (data) => sha256Hex(typeof data === 'string' ? encoder.encode(data) : data),
    seal,
    unseal,
    fillRandom(bytes) {
      for (let at = 0; at < bytes.length; at += randomChunk) {
        crypto.getRandomValues(bytes.subarray(at, at + randomChunk) as Uint8Array<ArrayBuffer>);
      }
    },
  };
}

async function seal(plaintext: string, secret: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(saltLength));
  const nonce = crypto.getRandomValues(new Uint8Array(nonceLength));
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
    const salt = bytes.subarray(0, saltLength);
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.subarray(saltLength, saltLength + nonceLength) },
      await sealingKey(secret, salt, 'decrypt'),
      bytes.subarray(saltLength + nonceLength),
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
