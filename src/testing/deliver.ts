import { count, milliseconds, type OptionRules, oneOf } from '../options/rules.ts';
import { assertOptions, finite } from '../signing/errors.ts';
import { defaultToleranceS, withDeployment } from '../webhooks/defaults.ts';
import { assertTarget, send, type Target, type TargetResponse } from './send.ts';
import { type Tampering, tamperWith } from './tamper.ts';
import {
  signDelivery,
  type TestPayload,
  type TestRequestOptions,
  testRequestRules,
  toMessage,
} from './test-request.ts';

/** Options of {@link deliver}. */
export interface DeliverOptions extends TestRequestOptions {
  /** Extra deliveries of every event, under the same id. @default 0 */
  readonly duplicates?: number;
  /** Change every attempt after signing; the receiver must reject it. */
  readonly tamper?: Tampering;
  /** The receiver's tolerance in seconds, which decides what to expect of `skewSeconds`. @default 300 */
  readonly tolerance?: number;
  /** Time limit of one attempt in ms. @default 15_000 */
  readonly timeoutMs?: number;
}

const rules: OptionRules<DeliverOptions> = {
  ...testRequestRules,
  duplicates: count,
  tamper: oneOf(['body', 'signature', 'id', 'timestamp', 'token']),
  tolerance: finite('seconds', 0),
  timeoutMs: milliseconds,
};

/** One attempt, and whether the receiver responded correctly. */
export interface DeliverAttempt extends TargetResponse {
  /** The `webhook-id`. */
  readonly id: string;
  /** How the receiver must respond. */
  readonly expected: '2xx' | '4xx';
  /** Whether it did, and handled the event. */
  readonly ok: boolean;
  /** What is wrong although the status is right: no callback handled the event. */
  readonly problem?: string;
}

/** How the receiver responded. */
export interface DeliverReport {
  /** Whether every response is right. */
  readonly ok: boolean;
  /** The attempts, in the order in which they were made. */
  readonly attempts: readonly DeliverAttempt[];
}

/**
 * Delivers one or more events to a receiver the way the service does, one after the other, and reports the responses.
 *
 * @param target - The fetch handler itself, or the URL where it listens.
 * @throws WebhookConfigurationError when the secret or another option cannot be used to sign, or nothing could be sent
 * to the target.
 * @throws TypeError when `tamper` names a part that is not sent, or that the scheme does not sign.
 * @example
 * const report = await deliver(POST, sampleEvent('usage_threshold'), { secret, duplicates: 2 });
 * report.ok;
 */
export async function deliver(
  target: Target,
  events: TestPayload | readonly TestPayload[],
  given: DeliverOptions,
): Promise<DeliverReport> {
  assertTarget(target);
  assertOptions(given, rules);
  const options = withDeployment(given);
  const { duplicates = 0, timeoutMs = 15_000 } = options;
  const messages = ([events].flat() as TestPayload[]).map((event) => toMessage(event, options));
  const expected = expectation(options);
  const attempts: DeliverAttempt[] = [];
  for (const message of Array.from({ length: 1 + duplicates }, () => messages).flat()) {
    const signed = await signDelivery(message, options);
    const sent = options.tamper ? tamperWith(signed, options.tamper, options) : signed;
    const response = await send(target, sent, timeoutMs);
    const isIgnored = response.body === '{"status":"ignored"}';
    attempts.push({
      ...{ id: message.id, ...response, expected },
      ok: Math.floor(response.status / 100) === (expected === '4xx' ? 4 : 2) && !isIgnored,
      ...(isIgnored && { problem: 'No callback handled it: pass one in `on`, or `onOther`.' }),
    });
  }
  return { ok: attempts.every(({ ok }) => ok), attempts };
}

function expectation(options: DeliverOptions): '2xx' | '4xx' {
  const { tamper, skewSeconds = 0, tolerance = defaultToleranceS } = options;
  return tamper || Math.abs(skewSeconds) > tolerance ? '4xx' : '2xx';
}
