import { count, flag, milliseconds, type OptionRules, oneOf } from '../options/rules.ts';
import { assertOptions, finite } from '../signing/errors.ts';
import { defaultToleranceS, withDeployment } from '../webhooks/defaults.ts';
import { send, type Target, type TargetResponse } from './send.ts';
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
  /** The order in which several events arrive. @default 'given' */
  readonly order?: 'given' | 'reversed' | 'shuffled';
  /** Send everything at once. While one copy is handled, the others can get a 503. @default false */
  readonly concurrent?: boolean;
  /** Lose the first request of every event, or the response to it; either way it is resent. */
  readonly drop?: 'request' | 'response';
  /** The receiver's tolerance in seconds, which decides what to expect of `skewSeconds`. @default 300 */
  readonly tolerance?: number;
  /** Time limit of one attempt in ms. @default 15_000 */
  readonly timeoutMs?: number;
}

const rules: OptionRules<DeliverOptions> = {
  ...testRequestRules,
  duplicates: count,
  tamper: oneOf(['body', 'signature', 'id', 'timestamp', 'token']),
  order: oneOf(['given', 'reversed', 'shuffled']),
  concurrent: flag,
  drop: oneOf(['request', 'response']),
  tolerance: finite('seconds', 0),
  timeoutMs: milliseconds,
};

/** One attempt, and whether the receiver responded correctly. */
export interface DeliverAttempt extends TargetResponse {
  /** The `webhook-id`. */
  readonly id: string;
  /** Never sent, because of `drop: 'request'`. */
  readonly lost?: true;
  /** How the receiver must respond. */
  readonly expected: '2xx' | '2xx or 503' | '4xx' | 'lost';
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
 * Delivers one or more events to a receiver the way the service does, or with faults, and reports the responses.
 *
 * @param target - The fetch handler itself, or the URL where it listens.
 * @throws WebhookConfigurationError when the secret or another option cannot be used to sign.
 * @throws TypeError when `tamper` names a header that is not sent.
 * @example
 * const report = await deliver(POST, sampleEvent('usage_threshold'), { secret, duplicates: 2 });
 * report.ok;
 */
export async function deliver(
  target: Target,
  events: TestPayload | readonly TestPayload[],
  given: DeliverOptions,
): Promise<DeliverReport> {
  assertOptions(given, rules);
  const options = withDeployment(given);
  const { duplicates = 0, concurrent = false, drop, timeoutMs = 15_000 } = options;
  const messages = arrange(
    ([events].flat() as TestPayload[]).map((event) => toMessage(event, options)),
    options.order,
  );
  const copies = 1 + duplicates + (drop ? 1 : 0);
  const rounds = Array.from({ length: copies }, (_, copy) =>
    messages.map((message) => ({ message, lost: copy === 0 && drop === 'request' })),
  ).flat();
  const expected = expectation(options, concurrent && copies > 1);

  const attempt = async ({ message, lost }: (typeof rounds)[number]): Promise<DeliverAttempt> => {
    const { id } = message;
    if (lost) return { id, lost, status: 0, body: '', durationMs: 0, expected: 'lost', ok: true };
    const signed = await signDelivery(message, options);
    const sent = options.tamper ? tamperWith(signed, options.tamper, options) : signed;
    const response = await send(target, sent, timeoutMs);
    const isIgnored = response.body === '{"status":"ignored"}';
    return {
      ...{ id, ...response, expected },
      ok: isExpected(response.status, expected) && !isIgnored,
      ...(isIgnored && { problem: 'No callback handled it: pass one in `on`, or `onOther`.' }),
    };
  };
  const attempts: DeliverAttempt[] = [];
  if (concurrent) attempts.push(...(await Promise.all(rounds.map(attempt))));
  else for (const round of rounds) attempts.push(await attempt(round));
  return { ok: attempts.every(({ ok }) => ok) && eachAccepted(attempts, expected), attempts };
}

/** A copy can get a 503 while another is handled, but one of them must get through. */
function eachAccepted(attempts: readonly DeliverAttempt[], expected: string): boolean {
  if (expected !== '2xx or 503') return true;
  const accepted = new Set(
    attempts.filter(({ status }) => isExpected(status, '2xx')).map(({ id }) => id),
  );
  return attempts.every(({ id }) => accepted.has(id));
}

function expectation(options: DeliverOptions, racing: boolean): '2xx' | '2xx or 503' | '4xx' {
  const { tamper, skewSeconds = 0, tolerance = defaultToleranceS } = options;
  if (tamper || Math.abs(skewSeconds) > tolerance) return '4xx';
  return racing ? '2xx or 503' : '2xx';
}

function isExpected(status: number, expected: '2xx' | '2xx or 503' | '4xx'): boolean {
  if (expected === '2xx or 503' && status === 503) return true;
  return Math.floor(status / 100) === (expected === '4xx' ? 4 : 2);
}

function arrange<T>(messages: T[], order: DeliverOptions['order'] = 'given'): T[] {
  if (order === 'reversed') return messages.reverse();
  if (order === 'given') return messages;
  for (let last = messages.length - 1; last > 0; last--) {
    const other = (crypto.getRandomValues(new Uint32Array(1))[0] as number) % (last + 1);
    [messages[last], messages[other]] = [messages[other] as T, messages[last] as T];
  }
  return messages;
}
