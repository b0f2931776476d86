/** Digest algorithms of a signature. */
export type HmacAlgorithm = 'sha256' | 'sha512';
/** How a digest is written. */
export type HmacEncoding = 'base64' | 'hex';

/** A prepared key. `digest` is synchronous where the platform has `node:crypto`. */
export interface HmacKey {
  /** HMAC over the ASCII text `head` followed by `body`. */
  digest(head: string, body: Uint8Array, encoding: HmacEncoding): string | Promise<string>;
}

interface NodeBuffer extends Uint8Array<ArrayBuffer> {
  /** Always pass the length: workerd defaults to the whole buffer's and throws when that is past the end. */
  latin1Write(text: string, offset: number, length: number): number;
}
interface NodeMac {
  update(data: string | Uint8Array): NodeMac;
  digest(encoding: HmacEncoding): string;
}
/** The part of `node:crypto` used here; some runtimes have no `hash`. */
interface NodeCrypto {
  hash?(algorithm: string, data: Uint8Array, encoding: HmacEncoding | 'latin1'): string;
  createSecretKey(key: Uint8Array): object;
  createHmac(algorithm: string, key: object): NodeMac;
}
/** What Node, Bun and Deno have in addition to the web's globals. */
interface Platform {
  process?: { getBuiltinModule?(name: string): unknown };
  Buffer?: { alloc(size: number): NodeBuffer };
}

/** Longest input, in bytes, for which two one-shot hashes beat `createHmac`. */
const oneShotLimit = 16_384;
/** Shared by all keys: there must be no await between writing it and hashing it. */
let scratch: NodeBuffer | undefined;

/** Prepares a key of at least one byte: `node:crypto` where the runtime has it, Web Crypto elsewhere. */
export function prepareHmac(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const { Buffer } = globalThis as unknown as Platform;
  const node = Buffer && findNodeCrypto();
  return node
    ? prepareNodeHmac(algorithm, key, node, (size) => Buffer.alloc(size))
    : prepareWebHmac(algorithm, key);
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

/**
 * Short inputs: HMAC from two one-shot hashes over prepared pads (RFC 2104), at half the cost of `createHmac`.
 * Long inputs, where copying the body costs more, long keys, and runtimes without `hash`: `createHmac`.
 */
function prepareNodeHmac(
  algorithm: HmacAlgorithm,
  key: Uint8Array,
  { createHmac, createSecretKey, hash }: NodeCrypto,
  allocate: (size: number) => NodeBuffer,
): HmacKey {
  const blockSize = algorithm === 'sha256' ? 64 : 128;
  const digestSize = blockSize / 2;
  const secretKey = createSecretKey(key);
  const innerPad = Uint8Array.from({ length: blockSize }, (_, index) => 0x36 ^ (key[index] ?? 0));
  // The outer pad, with room for the inner digest behind it.
  const outer = allocate(blockSize + digestSize);
  for (let index = 0; index < blockSize; index++) outer[index] = 0x5c ^ (key[index] ?? 0);
  return {
    digest(head, body, encoding) {
      if (!hash || key.length > blockSize || head.length + body.length > oneShotLimit)
        return createHmac(algorithm, secretKey).update(head).update(body).digest(encoding);
      scratch ??= allocate(oneShotLimit + 128);
      scratch.set(innerPad);
      const start = blockSize + scratch.latin1Write(head, blockSize, head.length);
      scratch.set(body, start);
      const inner = hash(algorithm, scratch.subarray(0, start + body.length), 'latin1');
      outer.latin1Write(inner, blockSize, digestSize);
      return hash(algorithm, outer, encoding);
    },
  };
}

/** HMAC by Web Crypto. The key is imported by the first digest: Workers forbid that at module level. */
export function prepareWebHmac(algorithm: HmacAlgorithm, key: Uint8Array): HmacKey {
  const hash = algorithm === 'sha256' ? 'SHA-256' : 'SHA-512';
  const raw = Uint8Array.from(key);
  let imported: Promise<CryptoKey> | undefined;
  return {
    async digest(head, body, encoding) {
      imported ??= crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash }, false, ['sign']);
      const data = new Uint8Array(head.length + body.length);
      encoder.encodeInto(head, data);
      data.set(body, head.length);
      const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await imported, data));
      return encoding === 'hex' ? toHex(bytes) : btoa(String.fromCharCode(...bytes));
    },
  };
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

/** @internal Shared: a new encoder per delivery would cost more than the comparison. */
export const encoder = /*@__PURE__*/ new TextEncoder();

/** Scratch memory, written and read within one call. */
const expectedBytes = /*@__PURE__*/ new Uint8Array(512);
const givenBytes = /*@__PURE__*/ new Uint8Array(512);

/**
 * Whether any expected text equals any given text, in constant time: the time depends only on lengths, because
 * every pair is compared to its end.
 *
 * @param expected - Texts of at most 256 ASCII characters.
 * @param start - Where the comparison begins in each given text.
 */
export function matchesAny(
  expected: readonly string[],
  given: readonly string[],
  start = 0,
): boolean {
  let matched = false;
  for (const expectedText of expected) {
    encoder.encodeInto(expectedText, expectedBytes);
    for (const text of given) {
      encoder.encodeInto(text, givenBytes);
      let difference = expectedText.length ^ (text.length - start);
      for (let index = 0; index < expectedText.length; index++)
        difference |= (expectedBytes[index] as number) ^ (givenBytes[start + index] as number);
      matched = !difference || matched;
    }
  }
  return matched;
}
