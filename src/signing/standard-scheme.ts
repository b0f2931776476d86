import { createScheme, type Scheme } from './create-scheme.ts';

let standard: Scheme | undefined;

/**
 * The default scheme, Standard Webhooks: `v1,<base64 HMAC-SHA256>` over `<webhook-id>.<webhook-timestamp>.<body>`.
 * It is sent as `X-Service-Signature` and as `webhook-signature`, so that any Standard Webhooks library verifies it.
 */
export function standardScheme(): Scheme {
  standard ??= createScheme('standard', {
    algorithm: 'sha256',
    encoding: 'base64',
    prefix: 'v1,',
    digestLength: 44,
    canonical: /[AEIMQUYcgkosw048]=$/,
    signatureHeaders: ['X-Service-Signature', 'webhook-signature'],
    signedHead: (id, timestamp) => `${id}.${timestamp}.`,
    sendsEnvelope: true,
  });
  return standard;
}
