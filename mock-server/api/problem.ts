import type { ProblemCode } from '../contract.ts';
import { timestamp } from '../domain/periods.ts';
import type { Rejection } from '../domain/rejection.ts';
import { problemCodes } from './routes.ts';

const TYPES = 'https://api.contentgen.test/problems/';

const titles: { readonly [Code in ProblemCode]: string } = {
  invalid_json: 'The body is not JSON',
  invalid_request: 'The request is not valid',
  missing_credentials: 'Credentials are missing',
  invalid_api_key: 'The API key is not valid',
  revoked_api_key: 'The API key was revoked',
  expired_api_key: 'The API key has expired',
  invalid_token: 'The access token is not valid',
  expired_token: 'The access token has expired',
  multiple_credentials: 'More than one credential was sent',
  insufficient_permissions: 'Insufficient permissions',
  not_found: 'Not found',
  method_not_allowed: 'The method is not allowed',
  idempotency_in_progress: 'The first request is still running',
  invalid_state: 'Not allowed in the current state',
  payload_too_large: 'The body is too large',
  unsupported_media_type: 'The media type is not supported',
  validation_failed: 'Validation failed',
  model_not_found: 'The model is unknown',
  idempotency_key_reused: 'The idempotency key belongs to another request',
  rate_limited: 'Too many requests',
  quota_exceeded: 'The monthly quota is used up',
  internal_error: 'Internal error',
  generation_failed: 'The generation failed',
  unavailable: 'The service is unavailable',
};

/** The status of each code. */
const statuses = Object.fromEntries(
  Object.entries(problemCodes).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)]),
  ),
) as { readonly [Code in ProblemCode]: number };

export function statusOfCode(code: ProblemCode): number {
  return statuses[code];
}

/** What every problem document says (RFC 9457). */
export function problemMembers(
  code: string,
  detail: string,
  [status, title] = [statuses[code as ProblemCode], titles[code as ProblemCode]],
) {
  return {
    type: TYPES + code.replaceAll('_', '-'),
    title: title ?? 'An error',
    status,
    detail,
    code,
  };
}

/** Whole seconds, rounded up, at least 1. */
function retryAfterSeconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)));
}

export interface Problem {
  readonly status: number;
  readonly body: { readonly [key: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
}

const CHALLENGE = 'ApiKey realm="contentgen", Bearer realm="contentgen"';

/** The problem document and its headers. Only an injected fault has a `status` other than its code's. */
export function problemOf(rejection: Rejection, requestId: string, status?: number): Problem {
  const { code, detail, errors, retryAfterMs, resetsAt, generationId } = rejection;
  const headers: Record<string, string> = {};
  const sentStatus = status ?? statuses[code];
  if (sentStatus === 401) {
    const isInvalidToken = code === 'invalid_token' || code === 'expired_token';
    headers['www-authenticate'] = isInvalidToken
      ? `${CHALLENGE}, error="invalid_token"`
      : CHALLENGE;
  }
  if (retryAfterMs !== undefined) headers['retry-after'] = retryAfterSeconds(retryAfterMs);
  return {
    status: sentStatus,
    headers,
    body: {
      ...problemMembers(code, detail, [sentStatus, titles[code]]),
      requestId,
      ...((errors || sentStatus === 422) && { errors: errors ?? [] }),
      ...(resetsAt !== undefined && { resetsAt: timestamp(resetsAt) }),
      ...(generationId !== undefined && { generationId }),
    },
  };
}
