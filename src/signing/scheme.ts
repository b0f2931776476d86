import { createScheme, type Scheme } from './create-scheme.ts';
import { standardFormat } from './standard.ts';

export type { CheckInput, Scheme } from './create-scheme.ts';
export { type PlainHmacOptions, plainHmac } from './plain-hmac.ts';

let standard: Scheme | undefined;

/**
 * The default: `v1,<base64 HMAC-SHA256>` over `<webhook-id>.<webhook-timestamp>.<body>`, sent as
 * `X-Service-Signature` and as `webhook-signature`, so that any Standard Webhooks library verifies it.
 */
export function standardScheme(): Scheme {
  standard ??= createScheme('standard', standardFormat);
  return standard;
}
