/** Digest algorithms of a signature. */
export type HmacAlgorithm = 'sha256' | 'sha512' | 'sha1';
/** How a digest is written. */
export type HmacEncoding = 'base64' | 'base64url' | 'hex';

/** A prepared key. `digest` is synchronous where the platform has `node:crypto`. */
export interface HmacKey {
  /** HMAC over the ASCII text `head` followed by `body`. */
  digest(head: string, body: Uint8Array, encoding: HmacEncoding): string | Promise<string>;
}

interface NodeMac {
  update(data: string | Uint8Array): NodeMac;
  digest(encoding: HmacEncoding): string;
}
/** The part of `node:crypto` used here. */
interface NodeCrypto {
  createSecretKey(key: Uint8Array): object;
  createHash(algorithm: string): NodeMac;
  createHmac(algorithm: string, key: object): NodeMac;
}
/** What Node, Bun and Deno have in addition to the web's globals. */
interface Platform {
  process?: { getBuiltinModule?(name: string): unknown };
}

/** Prepares a key of at least one byte: `node:crypto` where the runtime has it, Web Crypto elsewhere. */
export function prepareHmac(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const node = findNodeCrypto();
  if (!node) return prepareWebHmac(algorithm, key);
  const secretKey = node.createSecretKey(key);
  return {
    digest: (head, body, encoding) =>
      node.createHmac(algorithm, secretKey).update(head).update(body).digest(encoding),
  };
}

/** `node:crypto`, or undefined where it is missing. Next.js's edge runtime has the function, but it throws. */
function findNodeCrypto(): NodeCrypto | undefined {
  const { process } = globalThis as unknown as Platform;
  try {
    return process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  } catch {
    return undefined;
  }
}

/** HMAC by Web Crypto. The key is imported by the first digest: Workers forbid that at module level. */
export function prepareWebHmac(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const hash = `SHA-${algorithm.slice(3)}`;
  const raw = Uint8Array.from(key);
  let imported: Promise<CryptoKey> | undefined;
  return {
    async digest(head, body, encoding) {
      if (!globalThis.crypto?.subtle)
        throw new TypeError('Signatures need Web Crypto. On Node, use 20.19 or later.');
      imported ??= crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign']);
      const data = new Uint8Array(head.length + body.length);
      encoder().encodeInto(head, data);
      data.set(body, head.length);
      const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await imported, data));
      if (encoding === 'hex') return toHex(bytes);
      const text = btoa(String.fromCharCode(...bytes));
      return encoding === 'base64'
        ? text
        : text
            .replaceAll('+', '-')
            .replaceAll('/', '_')
            .replace(/={1,2}$/, '');
    },
  };
}

/** SHA-256 in hex. Web Crypto digests in another thread, whose time no simulation controls. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const node = findNodeCrypto();
  if (node) return node.createHash('sha256').update(bytes).digest('hex');
  const data = bytes as Uint8Array<ArrayBuffer>;
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', data)));
}

/** Bytes in lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

let shared: TextEncoder | undefined;

/** @internal Shared: a new encoder per delivery would cost more than the comparison. Jest's jsdom has none at import. */
export function encoder(): TextEncoder {
  shared ??= new TextEncoder();
  return shared;
}
