import type { Deployment, SchemeData, SecretEncoding } from '../deployment.ts';
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
  switch (type) {
    case 'plain-hmac':
      return plainHmacOf(scheme as PlainHmacOptions, encoding);
    case 'token':
      return tokenScheme((scheme as SchemeData).header);
    default:
      return encoding === 'whsec' ? standardScheme() : standardSchemeOf(encoding);
  }
}
