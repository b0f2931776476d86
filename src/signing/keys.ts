import { type HmacAlgorithm, type HmacKey, prepareHmac } from './hmac.ts';
import { parseSecret, type WebhookSecret } from './secret.ts';

/** Prepared keys that are kept; the oldest goes first. */
const capacity = 256;

type Cache = Record<HmacAlgorithm, Map<string, HmacKey>>;
const texts: Cache = { sha256: new Map(), sha512: new Map() };
/** Raw bytes are looked up by value: the caller may overwrite its array. */
const raws: Cache = { sha256: new Map(), sha512: new Map() };

/**
 * The prepared key of a secret, from a bounded cache.
 *
 * @throws WebhookConfigurationError when the secret is unusable.
 */
export function keyFor(algorithm: HmacAlgorithm, secret: WebhookSecret): HmacKey {
  const raw = secret instanceof Uint8Array;
  const cache = (raw ? raws : texts)[algorithm];
  const name = raw ? String.fromCharCode(...secret) : secret;
  const known = cache.get(name);
  if (known) return known;
  const key = prepareHmac(algorithm, parseSecret(secret));
  if (cache.size >= capacity) cache.delete(cache.keys().next().value as string);
  cache.set(name, key);
  return key;
}
