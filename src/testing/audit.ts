import {
  callback,
  integerFrom,
  milliseconds,
  millisecondsOrNone,
  type OptionRules,
} from '../option-rules.ts';
import { assertOptions } from '../signing/errors.ts';
import { standardScheme } from '../signing/scheme.ts';
import { defaultMaxBodyBytes } from '../webhooks/settings.ts';
import { withDeployment } from '../webhooks/with-deployment.ts';
import { type AuditCase, type AuditTools, isAccepted, sign } from './audit-case.ts';
import { auditCases } from './audit-cases.ts';
import { type AuditReport, type AuditResult, createReport } from './audit-report.ts';
import { explainRejection } from './explain-rejection.ts';
import { sampleTypes } from './sample-event.ts';
import { send, type Target, type TargetResponse } from './send.ts';
import { slowBody } from './slow-body.ts';
import { type TestRequestOptions, testRequestRules } from './test-request.ts';

/** Options of {@link auditReceiver}. */
export interface AuditOptions extends TestRequestOptions {
  /**
   * How many times the effect of `usage_threshold` has happened so far. Without it, whether a duplicate took effect is
   * `not_observable`: a receiver that remembers nothing responds like one that does.
   */
  readonly effects?: () => number | Promise<number>;
  /** Time limit of one attempt in ms. @default 15_000 */
  readonly timeoutMs?: number;
  /** A response slower than this fails, in ms. @default 5_000 */
  readonly slowMs?: number;
  /** The receiver's body cap in bytes. @default 1_048_576 */
  readonly maxBodyBytes?: number;
}

const rules: OptionRules<AuditOptions> = {
  ...testRequestRules,
  effects: callback,
  timeoutMs: milliseconds,
  slowMs: millisecondsOrNone,
  maxBodyBytes: integerFrom(1),
};

/**
 * Sends valid, repeated, concurrent, tampered, stale, unsigned, oversized, unknown and slow deliveries to a
 * receiver and reports which ones it handled correctly. Valid ones take effect, so audit a test receiver. If the
 * receiver accepts no delivery at all, the report's `problem` says what to check, and nothing more is sent.
 *
 * @param target - The fetch handler itself, or the URL where it listens.
 * @throws WebhookConfigurationError when the secret or another option cannot be used to sign.
 * @example
 * const report = await auditReceiver('http://localhost:3000/webhooks', { secret });
 * console.log(String(report));
 */
export async function auditReceiver(target: Target, given: AuditOptions): Promise<AuditReport> {
  assertOptions(given, rules);
  const options = withDeployment(given);
  const { scheme = standardScheme(), timeoutMs = 15_000, slowMs = 5000 } = options;
  const functionUrl = options.url ?? 'https://receiver.test/webhooks';
  const seen: TargetResponse[] = [];
  const tools: AuditTools = {
    options: { ...options, url: typeof target === 'function' ? functionUrl : target },
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    effects: options.effects,
    async send(delivery) {
      const response = await send(target, delivery, timeoutMs);
      seen.push(response);
      return response;
    },
  };
  const isTimed = 'webhook-timestamp' in (await sign(tools)).headers;
  const cases = [...auditCases, slowBody(target, timeoutMs)];
  const results: AuditResult[] = [];
  for (const auditCase of cases) {
    const skip =
      (auditCase.needsEnvelope && !scheme.signsEnvelope) || (auditCase.needsTime && !isTimed);
    results.push(skip ? skipped(auditCase) : await runCase(auditCase, tools, slowMs));
    if (results.length === sampleTypes.length && !seen.some(isAccepted)) {
      // A receiver that accepts nothing also rejects every forgery, so the other cases would prove nothing.
      const rest = cases.slice(results.length).map((one) => skipped(one, 'not sent'));
      return createReport([...results, ...rest], explainRejection(seen));
    }
  }
  return createReport(results);
}

async function runCase(
  { name, advice, run }: AuditCase,
  tools: AuditTools,
  slowMs: number,
): Promise<AuditResult> {
  const { notObservable, ...found } = await run(tools);
  const tooSlow = found.durationMs > slowMs;
  const ok = found.ok && !tooSlow;
  return {
    name,
    outcome: ok ? (notObservable ? 'not_observable' : 'passed') : 'failed',
    ...found,
    got: tooSlow ? `${found.got} after ${Math.round(found.durationMs)} ms` : found.got,
    ok,
    ...(!ok && { advice }),
    ...(ok && notObservable && { advice: howToObserve }),
  };
}

const howToObserve =
  'A receiver that remembers nothing responds the same. Pass a counter of its effects: contentgen audit --effects URL, ' +
  'or auditReceiver(handler, { effects }) in a test.';

const notSigned = 'not sent: this scheme does not sign what the case changes';

function skipped({ name }: AuditCase, got = notSigned): AuditResult {
  return { name, outcome: 'skipped', expected: '', got, durationMs: 0, ok: true };
}
