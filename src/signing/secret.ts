import { kindOf, misconfigured } from './errors.ts';
import { type HmacAlgorithm, type HmacKey, prepareHmac } from './hmac.ts';

/** A signing secret: `whsec_` + base64 of 24 to 64 bytes, or 16 to 4 096 raw key bytes. */
export type WebhookSecret = string | Uint8Array;

const prefix = 'whsec_';
/** Of a raw key. A shorter one can be guessed; a longer one is a file or a buffer passed by mistake. */
const leastBytes = 16;
const mostBytes = 4096;

/** Writes key bytes as a secret: `whsec_` + base64. */
export function formatSecret(bytes: Uint8Array): string {
  return prefix + btoa(String.fromCharCode(...bytes));
}

/**
 * The key bytes of a secret.
 *
 * @param name - What the error calls it, for instance `secret 2 of 3`.
 * @throws WebhookConfigurationError unless it is `whsec_` + strict base64 of 24 to 64 bytes, or a
 * `Uint8Array` of 16 to 4 096.
 */
export function parseSecret(secret: WebhookSecret, name = 'secret'): Uint8Array {
  if (secret instanceof Uint8Array && secret.length >= leastBytes && secret.length <= mostBytes)
    return secret;
  const bytes = typeof secret === 'string' ? decode(secret) : undefined;
  if (bytes && bytes.length >= 24 && bytes.length <= 64) return bytes;
  const [problem, advice] = explainSecret(secret, bytes);
  return misconfigured(`${name} ${problem}`, advice);
}

function decode(secret: string): Uint8Array | undefined {
  try {
    const text = atob(secret.slice(prefix.length));
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0));
    // atob is lenient: only the canonical spelling survives the round trip.
    return formatSecret(bytes) === secret ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with an unusable secret, and what to do. Never shows the value. */
function explainSecret(
  secret: unknown,
  bytes: Uint8Array | undefined,
): readonly [problem: string, advice: string] {
  const checkVariable =
    'Set the environment variable that it is read from, for instance CONTENTGEN_WEBHOOK_SECRET.';
  const passSigningSecret = 'Pass the signing secret, which starts with whsec_.';
  if (secret === undefined || secret === null || secret === '')
    return [`is ${kindOf(secret)}`, checkVariable];
  if (typeof secret !== 'string') {
    const isBytes = secret instanceof Uint8Array;
    const kind = isBytes ? `a Uint8Array of ${secret.length} bytes` : kindOf(secret);
    return [
      `is ${kind}`,
      `Pass a whsec_ string, or the key bytes as a Uint8Array of ${leastBytes} to ${mostBytes} bytes.`,
    ];
  }
  if (secret.trim() === '') return ['is only white space', checkVariable];
  if (/\s/.test(secret)) return ['contains white space', 'Trim it, line breaks included.'];
  if (secret.startsWith('cg_')) return ['is an API key', passSigningSecret];
  if (/^wh[sp]k_/.test(secret)) return ['is an asymmetric key (whsk_ or whpk_)', passSigningSecret];
  if (!secret.startsWith(prefix))
    return [
      'does not start with whsec_',
      'Pass it with its prefix, or the key bytes as a Uint8Array.',
    ];
  if (!bytes) return ['is not valid base64 after whsec_', 'Copy it again, padding included.'];
  return [`has ${bytes.length} bytes`, 'Copy it again: a secret has 24 to 64 bytes.'];
}

/** Prepared keys per algorithm. Texts and bytes are kept apart: a text must never find the key of equal bytes. */
const textKeys: Record<HmacAlgorithm, Map<string, HmacKey>> = {
  sha256: new Map(),
  sha512: new Map(),
};
const byteKeys: Record<HmacAlgorithm, Map<string, HmacKey>> = {
  sha256: new Map(),
  sha512: new Map(),
};
const maxKeys = 256;

/**
 * The prepared key of a secret, from a cache of at most 256 per kind; when full, the cache is emptied.
 * Bytes are cached by value, because their owner can overwrite them.
 *
 * @throws WebhookConfigurationError when the secret is unusable.
 */
export function keyFor(algorithm: HmacAlgorithm, secret: WebhookSecret, name?: string): HmacKey {
  const isText = typeof secret === 'string';
  const cache = (isText ? textKeys : byteKeys)[algorithm];
  const cacheKey = isText
    ? secret
    : String.fromCharCode.apply(null, parseSecret(secret, name) as never);
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const key = prepareHmac(algorithm, parseSecret(secret, name).slice());
  if (cache.size >= maxKeys) cache.clear();
  cache.set(cacheKey, key);
  return key;
}
