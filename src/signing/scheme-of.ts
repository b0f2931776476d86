import type { Deployment, SchemeData, SecretEncoding } from '../deployment.ts';
import { misconfigured } from './errors.ts';
import { type PlainHmacOptions, plainHmacOf } from './plain-hmac.ts';
import { type Scheme, standardScheme, standardSchemeOf, tokenScheme } from './scheme.ts';

/**
 * The scheme of a deployment that was checked: from its data, or as it was passed. Secrets are read as the deployment
 * writes them, unless the scheme is one of the caller's own.
 *
 * @throws WebhookConfigurationError for a scheme that deliveries cannot be verified with.
 */
export function schemeOf({ scheme, secretEncoding = 'whsec' }: Deployment): Scheme {
  const encoding = secretEncoding as SecretEncoding;
  const { type, sign } = (scheme ?? { type: 'standard' }) as Partial<Scheme>;
  if (sign && (encoding === 'whsec' || type === undefined)) return scheme as unknown as Scheme;
  if (type === 'plain-hmac') return plainHmacOf(scheme as PlainHmacOptions, encoding);
  if (type === 'token') return tokenScheme((scheme as SchemeData).header);
  if (type === 'standard')
    return encoding === 'whsec' ? standardScheme() : standardSchemeOf(encoding);
  return misconfigured(`the scheme ${type} needs a key`, 'Pass the scheme itself as scheme.');
}
