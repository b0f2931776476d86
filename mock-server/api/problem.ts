import type { ProblemCode } from '../contract.ts';
import { timestamp } from '../domain/periods.ts';
import type { Rejection } from '../domain/rejection.ts';
import { problemCodes } from './routes.ts';

const TYPES = 'https://api.contentgen.test/problems/';

const titleOf = (code: string): string =>
  code
    .replaceAll('_', ' ')
    .replace(/\b(?:api|json)\b/g, (name) => name.toUpperCase())
    .replace(/^./, (letter) => letter.toUpperCase());

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
  status: number = statuses[code as ProblemCode],
) {
  return { type: TYPES + code.replaceAll('_', '-'), title: titleOf(code), status, detail, code };
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
      ...problemMembers(code, detail, sentStatus),
      requestId,
      ...((errors || sentStatus === 422) && { errors: errors ?? [] }),
      ...(resetsAt !== undefined && { resetsAt: timestamp(resetsAt) }),
      ...(generationId !== undefined && { generationId }),
    },
  };
}
