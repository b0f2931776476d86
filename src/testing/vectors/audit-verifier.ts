import { now } from '../../platform/driver.ts';
import { type AuditReport, type AuditResult, createReport } from '../audit/audit-report.ts';
import { createSignatureVectors, type SignatureVector } from './create-vectors.ts';
import { type Flag, factsOf } from './flags.ts';

/**
 * Verifies one delivery. It rejects it by `false` or by throwing, and says by `null` that it does not support what the
 * vector is about; anything else accepts it.
 */
export type SignatureVerifier = (vector: SignatureVector) => unknown;

/** Public test material. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * Gives a verifier of Standard Webhooks about 110 valid, forged and odd deliveries, signed at the present time, and
 * reports which ones it judged correctly. What nobody could exploit is a warning.
 *
 * @example
 * const report = await auditVerifier(({ secret, headers, bodyBase64 }) =>
 *   new Webhook(secret).verify(Buffer.from(bodyBase64, 'base64'), headers));
 */
export async function auditVerifier(verify: SignatureVerifier): Promise<AuditReport> {
  const vectors = await createSignatureVectors(secret, Math.floor(now() / 1000));
  const results: AuditResult[] = [];
  for (const vector of vectors) results.push(await judge(vector, verify));
  return createReport(results);
}

async function judge(vector: SignatureVector, verify: SignatureVerifier): Promise<AuditResult> {
  const start = performance.now();
  let verdict: unknown = false;
  try {
    verdict = await verify(vector);
  } catch {
    // Most verifiers throw in order to reject.
  }
  const accepted = verdict !== false;
  const outcomes = {
    valid: accepted ? 'passed' : 'failed',
    invalid: accepted ? 'failed' : 'passed',
    acceptable: accepted ? 'warning' : 'passed',
  } as const;
  const outcome = verdict === null ? 'skipped' : outcomes[vector.result];
  return {
    name: `${vector.id} ${vector.comment}`,
    outcome,
    ok: outcome !== 'failed',
    expected: vector.result === 'valid' ? 'accepted' : 'rejected',
    got: verdict === null ? 'not supported' : accepted ? 'accepted' : 'rejected',
    durationMs: performance.now() - start,
    ...(/failed|warning/.test(outcome) && {
      advice: vector.flags.map((flag) => factsOf(flag as Flag).advice).join(' '),
    }),
  };
}
