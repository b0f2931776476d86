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

const platform = globalThis as unknown as Platform;

function nodeCrypto(): NodeCrypto | undefined {
  return platform.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
}

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
  const blockSize = algorithm === 'sha256' ? 64 : 128;
  const digestSize = blockSize / 2;
  const inner = pad(key, blockSize, 0x36);
  const outer = allocate(blockSize + digestSize);
  outer.set(pad(key, blockSize, 0x5c));
  const long = streamedKey(crypto, algorithm, key);
  return {
    digest(head, body, encoding) {
      if (body.length + head.length > oneShotLimit) return long.digest(head, body, encoding);
      scratch ??= allocate(oneShotLimit + 128);
      scratch.set(inner);
      const start = blockSize + scratch.latin1Write(head, blockSize);
      scratch.set(body, start);
      const end = start + body.length;
      outer.latin1Write(crypto.hash(algorithm, scratch.subarray(0, end), 'latin1'), blockSize);
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

/** @internal Exported for its tests: the way of runtimes without `node:crypto`. */
export function webCryptoKey(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const hash = algorithm === 'sha256' ? 'SHA-256' : 'SHA-512';
  const raw = Uint8Array.from(key);
  const usable = crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign']);
  return {
    async digest(head, body, encoding) {
      const data = new Uint8Array(head.length + body.length);
      new TextEncoder().encodeInto(head, data);
      data.set(body, head.length);
      const mac = new Uint8Array(await crypto.subtle.sign('HMAC', await usable, data));
      if (encoding === 'base64') return btoa(String.fromCharCode(...mac));
      return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
}

/** Prepares a key of 1 or more bytes; `node:crypto` where the runtime offers it, Web Crypto elsewhere. */
export function prepareHmac(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const node = nodeCrypto();
  if (!node?.createHmac) return webCryptoKey(algorithm, key);
  const fits = key.length <= (algorithm === 'sha256' ? 64 : 128);
  const allocate = platform.Buffer?.allocUnsafeSlow;
  if (node.hash && fits && allocate)
    return oneShotKey(node as Required<NodeCrypto>, allocate, algorithm, key);
  return streamedKey(node, algorithm, key);
}
