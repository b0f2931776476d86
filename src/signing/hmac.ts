/** Digest algorithms of a signature. */
export type HmacAlgorithm = 'sha256' | 'sha512';
/** How a digest is written. */
export type HmacEncoding = 'base64' | 'hex';

/** A key, prepared once: `digest` is synchronous where the platform has `node:crypto`. */
export interface HmacKey {
  /** HMAC over the ASCII text `head` followed by `body`. */
  digest(head: string, body: Uint8Array, encoding: HmacEncoding): string | Promise<string>;
}

interface NodeBuffer extends Uint8Array<ArrayBuffer> {
  /** workerd refuses a length beyond the end, and by default takes the whole buffer's. */
  latin1Write(text: string, offset: number, length: number): number;
}
interface NodeMac {
  update(data: string | Uint8Array): NodeMac;
  digest(encoding: HmacEncoding): string;
}
/** The part of `node:crypto` that is used here; `hash` is missing in some runtimes. */
interface NodeCrypto {
  hash?(algorithm: string, data: Uint8Array, encoding: HmacEncoding | 'latin1'): string;
  createSecretKey(key: Uint8Array): object;
  createHmac(algorithm: string, key: object): NodeMac;
}
interface Platform {
  process?: { getBuiltinModule?(name: string): unknown };
  Buffer?: { allocUnsafeSlow(size: number): NodeBuffer };
}

/** What Node, Bun and Deno offer beside the web's globals. */
const platform = globalThis as unknown as Platform;

/** Shared by all keys: whoever writes here must not await before the hash is taken. */
let scratch: NodeBuffer | undefined;

/**
 * Up to 16 KiB: HMAC from two one-shot hashes over prepared pads (RFC 2104), at half the cost of
 * `createHmac`. Beyond it, where copying the body costs more, and in runtimes without the one-shot hash:
 * `createHmac` with a prepared key.
 */
function nodeKey(
  { createHmac, createSecretKey, hash }: NodeCrypto,
  { allocUnsafeSlow: allocate }: Required<Platform>['Buffer'],
  algorithm: HmacAlgorithm,
  key: Uint8Array,
): HmacKey {
  const blockSize = algorithm === 'sha256' ? 64 : 128;
  const prepared = createSecretKey(key);
  const pad = (value: number) =>
    Uint8Array.from({ length: blockSize }, (_, index) => value ^ (key[index] ?? 0));
  const inner = pad(0x36);
  const outer = allocate(blockSize * 1.5);
  outer.set(pad(0x5c));
  return {
    digest(head, body, encoding) {
      if (!hash || key.length > blockSize || head.length + body.length > 16_384)
        return createHmac(algorithm, prepared).update(head).update(body).digest(encoding);
      scratch ??= allocate(16_512);
      scratch.set(inner);
      const start = blockSize + scratch.latin1Write(head, blockSize, head.length);
      scratch.set(body, start);
      const hashed = hash(algorithm, scratch.subarray(0, start + body.length), 'latin1');
      outer.latin1Write(hashed, blockSize, hashed.length);
      return hash(algorithm, outer, encoding);
    },
  };
}

/** Prepares a key of 1 or more bytes; `node:crypto` where the runtime offers it, Web Crypto elsewhere. */
export function prepareHmac(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const node = platform.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (node?.createHmac && platform.Buffer) return nodeKey(node, platform.Buffer, algorithm, key);
  return {
    digest: async (...input) =>
      (await import('./web-crypto.ts')).webCryptoDigest(algorithm, key, ...input),
  };
}
