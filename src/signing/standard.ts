import { type Checker, createChecker, type Format } from './create-scheme.ts';

/** @internal Standard Webhooks, under two header names. */
export const standardFormat: Format = {
  algorithm: 'sha256',
  encoding: 'base64',
  prefix: 'v1,',
  digestLength: 44,
  canonical: /[AEIMQUYcgkosw048]=$/,
  signatureHeaders: ['X-Service-Signature', 'webhook-signature'],
  signsEnvelope: true,
};

/** @internal The verifying half alone, for receivers that never sign. */
export const standardChecker: Checker = /*@__PURE__*/ createChecker(standardFormat);
