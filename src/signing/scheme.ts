import { createScheme, type Scheme } from './create-scheme.ts';

export type { CheckInput, Scheme, SignInput, Verdict } from './create-scheme.ts';
export { type PlainHmacOptions, plainHmac } from './plain-hmac.ts';

let standard: Scheme | undefined;

/**
 * The default: `v1,<base64 HMAC-SHA256>` over `<webhook-id>.<webhook-timestamp>.<body>`, sent as
 * `X-Service-Signature` and as `webhook-signature`, so that any Standard Webhooks library verifies it.
 */
export function standardScheme(): Scheme {
  standard ??= createScheme({
    name: 'standard',
    algorithm: 'sha256',
    encoding: 'base64',
    prefix: 'v1,',
    pattern: /^v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/,
    headers: ['X-Service-Signature', 'webhook-signature'],
    signsEnvelope: true,
  });
  return standard;
}
