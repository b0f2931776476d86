import { type HmacAlgorithm, type HmacKey, prepareHmac } from './hmac.ts';
import { parseSecret, type WebhookSecret } from './secret.ts';

/** At most 256 keys; one more, and they are prepared anew. */
const prepared = new Map<string, HmacKey>();

/** Texts and bytes cannot meet: a name starts with `sha` or `raw`. Bytes count by value, their owner may overwrite them. */
function nameOf(algorithm: HmacAlgorithm, secret: WebhookSecret): string {
  return typeof secret === 'string'
    ? algorithm + secret
    : `raw${algorithm}${String.fromCharCode(...parseSecret(secret))}`;
}

/**
 * The prepared key of a secret, from a bounded cache.
 *
 * @throws WebhookConfigurationError when the secret is unusable.
 */
export function keyFor(algorithm: HmacAlgorithm, secret: WebhookSecret): HmacKey {
  const name = nameOf(algorithm, secret);
  let key = prepared.get(name);
  if (!key) {
    key = prepareHmac(algorithm, parseSecret(secret).slice());
    if (prepared.size >= 256) prepared.clear();
    prepared.set(name, key);
  }
  return key;
}
