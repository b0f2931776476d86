import type { Deployment, SchemeData, SecretEncoding } from '../deployment.ts';
import { type Ed25519Options, ed25519Of } from './ed25519.ts';
import { type PlainHmacOptions, plainHmacOf } from './plain-hmac.ts';
import { type Scheme, standardScheme, standardSchemeOf, tokenScheme } from './scheme.ts';

/**
 * The scheme of a deployment that was checked: from its data, or as it was passed. Secrets are read as the deployment
 * writes them, unless the scheme is one of the caller's own.
 *
 * A scheme of this package has the fields of its data, so it can be made again for another encoding.
 */
export function schemeOf({ scheme, secretEncoding = 'whsec' }: Deployment): Scheme {
  const encoding = secretEncoding as SecretEncoding;
  const { type, sign } = (scheme ?? { type: 'standard' }) as Partial<Scheme>;
  if (sign && (encoding === 'whsec' || type === undefined)) return scheme as unknown as Scheme;
  if (type === 'plain-hmac') return plainHmacOf(scheme as PlainHmacOptions, encoding);
  if (type === 'token') return tokenScheme((scheme as SchemeData).header);
  if (type === 'ed25519') return ed25519Of(scheme as Ed25519Options, encoding);
  return encoding === 'whsec' ? standardScheme() : standardSchemeOf(encoding);
}
