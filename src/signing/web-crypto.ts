import type { HmacAlgorithm, HmacEncoding } from './hmac.ts';

/** Imported keys, kept as long as the key bytes that a prepared key holds. */
const imported = {
  sha256: new WeakMap<Uint8Array, Promise<CryptoKey>>(),
  sha512: new WeakMap<Uint8Array, Promise<CryptoKey>>(),
};

function keyOf(algorithm: HmacAlgorithm, key: Uint8Array): Promise<CryptoKey> {
  let usable = imported[algorithm].get(key);
  if (!usable) {
    const hash = algorithm === 'sha256' ? 'SHA-256' : 'SHA-512';
    const raw = Uint8Array.from(key);
    usable = crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign']);
    imported[algorithm].set(key, usable);
  }
  return usable;
}

/** HMAC where the runtime has no `node:crypto`; `key` must stay as it is. */
export async function webCryptoDigest(
  algorithm: HmacAlgorithm,
  key: Uint8Array,
  head: string,
  body: Uint8Array,
  encoding: HmacEncoding,
): Promise<string> {
  const data = new Uint8Array(head.length + body.length);
  new TextEncoder().encodeInto(head, data);
  data.set(body, head.length);
  const mac = await crypto.subtle.sign('HMAC', await keyOf(algorithm, key), data);
  const bytes = new Uint8Array(mac);
  return encoding === 'hex' ? toHex(bytes) : btoa(String.fromCharCode(...bytes));
}

/** SHA-256 in hex. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const data = bytes as Uint8Array<ArrayBuffer>;
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', data)));
}

/** Bytes in lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
