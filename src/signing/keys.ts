import { type HmacAlgorithm, type HmacKey, prepareHmac } from './hmac.ts';
import { parseSecret, type WebhookSecret } from './secret.ts';

type Keys = Record<HmacAlgorithm, Map<string, HmacKey>>;
const texts: Keys = { sha256: new Map(), sha512: new Map() };
/** Bytes count by value, their owner may overwrite them; apart from texts, which no name of theirs may meet. */
const raws: Keys = { sha256: new Map(), sha512: new Map() };

/**
 * The prepared key of a secret, from a cache of at most 256 a kind: one more, and all are prepared anew.
 *
 * @throws WebhookConfigurationError when the secret is unusable.
 */
export function keyFor(algorithm: HmacAlgorithm, secret: WebhookSecret): HmacKey {
  const isText = typeof secret === 'string';
  const cache = (isText ? texts : raws)[algorithm];
  const name = isText ? secret : String.fromCharCode.apply(null, parseSecret(secret) as never);
  let key = cache.get(name);
  if (!key) {
    key = prepareHmac(algorithm, parseSecret(secret).slice());
    if (cache.size >= 256) cache.clear();
    cache.set(name, key);
  }
  return key;
}
