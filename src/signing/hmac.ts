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
  latin1Write(text: string, offset: number): number;
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

/** Up to this many bytes two one-shot hashes beat `createHmac`; beyond it copying the body costs more. */
const oneShotLimit = 16_384;
const blockSizes = { sha256: 64, sha512: 128 };

const platform = globalThis as unknown as Platform;

function pad(key: Uint8Array, blockSize: number, value: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(blockSize).fill(value);
  for (let index = 0; index < key.length; index++) block[index] = value ^ (key[index] as number);
  return block;
}

let scratch: NodeBuffer | undefined;

/**
 * HMAC from two one-shot hashes over prepared pads (RFC 2104), half the cost of `createHmac` on short
 * bodies. The scratch memory is shared by all keys: nothing here may await.
 */
function oneShotKey(
  crypto: Required<NodeCrypto>,
  allocate: (size: number) => NodeBuffer,
  algorithm: HmacAlgorithm,
  key: Uint8Array,
): HmacKey {
  const blockSize = blockSizes[algorithm];
  const inner = pad(key, blockSize, 0x36);
  const outer = allocate(blockSize * 1.5);
  outer.set(pad(key, blockSize, 0x5c));
  const long = streamedKey(crypto, algorithm, key);
  return {
    digest(head, body, encoding) {
      if (body.length + head.length > oneShotLimit) return long.digest(head, body, encoding);
      scratch ??= allocate(oneShotLimit + 128);
      scratch.set(inner);
      const start = blockSize + scratch.latin1Write(head, blockSize);
      scratch.set(body, start);
      const hashed = crypto.hash(algorithm, scratch.subarray(0, start + body.length), 'latin1');
      outer.latin1Write(hashed, blockSize);
      return crypto.hash(algorithm, outer, encoding);
    },
  };
}

function streamedKey(crypto: NodeCrypto, algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const prepared = crypto.createSecretKey(key);
  return {
    digest: (head, body, encoding) =>
      crypto.createHmac(algorithm, prepared).update(head).update(body).digest(encoding),
  };
}

/** Prepares a key of 1 or more bytes; `node:crypto` where the runtime offers it, Web Crypto elsewhere. */
export function prepareHmac(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const node = platform.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (!node?.createHmac)
    return {
      digest: async (...input) =>
        (await import('./web-crypto.ts')).webCryptoDigest(algorithm, key, ...input),
    };
  const fits = key.length <= blockSizes[algorithm];
  const allocate = platform.Buffer?.allocUnsafeSlow;
  return node.hash && fits && allocate
    ? oneShotKey(node as Required<NodeCrypto>, allocate, algorithm, key)
    : streamedKey(node, algorithm, key);
}
