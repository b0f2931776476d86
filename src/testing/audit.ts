import { standardScheme } from '../signing/scheme.ts';
import { type AuditTools, auditCases, type Finding } from './audit-cases.ts';
import { auditTable } from './audit-table.ts';
import { send, type Target } from './send.ts';
import { slowCase } from './slow-case.ts';
import type { TestRequestOptions } from './test-request.ts';

/** How {@link auditReceiver} audits. */
export interface AuditOptions extends TestRequestOptions {
  /** How often the effect of `usage_threshold` has happened so far: then duplicates are counted too. */
  readonly effects?: () => number | Promise<number>;
  /** ms for one attempt. @default 15_000 */
  readonly timeoutMs?: number;
  /** Answers slower than this are told, ms. @default 5_000 */
  readonly slowMs?: number;
  /** The receiver's cap. @default 1_048_576 */
  readonly maxBodyBytes?: number;
}

/** One thing that was asked of the receiver. */
export interface AuditResult extends Finding {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What to do about it, when it failed. */
  readonly advice?: string;
}

/** The audit; plain data for `JSON.stringify`, a table for `String()`. */
export interface AuditReport {
  readonly ok: boolean;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly results: readonly AuditResult[];
  /** The report as a table for a terminal. */
  toString(): string;
}

const left = {
  expected: '',
  got: 'not asked: this scheme signs neither id nor time',
  durationMs: 0,
};

/**
 * Delivers good, repeated, concurrent, tampered, stale, unsigned, oversized, unknown and slow deliveries to a
 * receiver and reports what it did right and wrong. Good ones take effect: give it a receiver of a test.
 *
 * @param target - The fetch handler itself, or the URL where it listens.
 * @throws WebhookConfigurationError when the secret or another option cannot sign.
 * @example
 * const report = await auditReceiver('http://localhost:3000/webhooks', { secret });
 * console.log(String(report));
 */
export async function auditReceiver(target: Target, options: AuditOptions): Promise<AuditReport> {
  const { scheme = standardScheme(), timeoutMs = 15_000, slowMs = 5000 } = options;
  const tools: AuditTools = {
    options: {
      ...options,
      url:
        typeof target === 'function' ? (options.url ?? 'https://receiver.test/webhooks') : target,
    },
    maxBodyBytes: options.maxBodyBytes ?? 1_048_576,
    effects: options.effects,
    send: (delivery) => send(target, delivery, timeoutMs),
  };
  const results: AuditResult[] = [];
  for (const { name, advice, needsEnvelope, run } of [...auditCases, slowCase(target, timeoutMs)]) {
    if (needsEnvelope && !scheme.signsEnvelope) {
      results.push({ name, outcome: 'skipped', ...left, ok: true });
      continue;
    }
    const found = await run(tools);
    const tooSlow = found.durationMs > slowMs;
    const got = tooSlow ? `${found.got} after ${Math.round(found.durationMs)} ms` : found.got;
    const ok = found.ok && !tooSlow;
    results.push({
      name,
      outcome: ok ? 'passed' : 'failed',
      ...found,
      got,
      ok,
      ...(!ok && { advice }),
    });
  }
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const report = { ok: failed === 0, passed, failed, skipped, results };
  Object.defineProperty(report, 'toString', { value: () => auditTable(report) });
  return report;
}
