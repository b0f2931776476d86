import { standardScheme } from '../signing/scheme.ts';
import { type Answer, send, type Target } from './send.ts';
import {
  type SignedDelivery,
  signDelivery,
  type TestPayload,
  type TestRequestOptions,
  toMessage,
} from './test-request.ts';

/** Which part of an attempt is changed after it was signed. */
export type Tampering = 'body' | 'signature' | 'id' | 'timestamp' | 'token';

/** How {@link deliver} delivers. */
export interface DeliverOptions extends TestRequestOptions {
  /** Further deliveries of every event, under the same id. @default 0 */
  readonly duplicates?: number;
  /** Change every attempt after signing; the receiver must refuse it. */
  readonly tamper?: Tampering;
  /** In which order several events arrive. @default 'given' */
  readonly order?: 'given' | 'reversed' | 'shuffled';
  /** Send everything at once; of several copies in flight, all but one may be answered 503. @default false */
  readonly concurrent?: boolean;
  /** Lose the first request of every event, or its answer; either way the sender tries again. */
  readonly drop?: 'request' | 'answer';
  /** Seconds that the receiver tolerates, to know what to expect of `skewSeconds`. @default 300 */
  readonly tolerance?: number;
  /** ms for one attempt. @default 15_000 */
  readonly timeoutMs?: number;
}

/** One attempt and whether its answer is what a receiver must answer. */
export interface DeliverAttempt extends Answer {
  readonly id: string;
  /** Lost on the way, by `drop: 'request'`: never sent. */
  readonly lost?: true;
  readonly expected: '2xx' | '2xx or 503' | '4xx' | 'lost';
  readonly ok: boolean;
}

/** What the receiver made of it. */
export interface DeliverReport {
  /** Whether every answer is what it must be. */
  readonly ok: boolean;
  readonly attempts: readonly DeliverAttempt[];
}

/** Changes the last letter or digit, so that the form stays right. */
function spoil(text: string): string {
  return text.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (char) => (char === 'A' ? 'Q' : 'A'));
}

/** @internal A copy that was changed after signing. */
export function tamperWith(
  delivery: SignedDelivery,
  what: Tampering,
  { scheme = standardScheme(), tokenHeader = 'X-Service-Token' }: TestRequestOptions,
): SignedDelivery {
  const { headers, body = new Uint8Array() } = delivery;
  if (what === 'body') return { ...delivery, body: Uint8Array.of(...body, 32) };
  const concerned = {
    signature: scheme.signatureHeaders,
    id: ['webhook-id'],
    timestamp: ['webhook-timestamp'],
    token: [tokenHeader],
  }[what];
  if (!concerned)
    throw new TypeError(
      'Failed to deliver: tamper must be body, signature, id, timestamp or token.',
    );
  const changed: Record<string, string> = { ...headers };
  for (const name of concerned) {
    const value = headers[name];
    if (value === undefined)
      throw new TypeError(`Failed to deliver: without ${name} there is no ${what} to change.`);
    changed[name] =
      what === 'timestamp' ? String(Number(value) - 1) : value.split(' ').map(spoil).join(' ');
  }
  return { ...delivery, headers: changed };
}

/**
 * Delivers an event, or several, to a receiver as the service does, well or badly, and reports the answers.
 *
 * @param target - The fetch handler itself, or the URL where it listens.
 * @throws WebhookConfigurationError when the secret or another option cannot sign.
 * @example
 * const report = await deliver(POST, sampleEvent('usage_threshold'), { secret, duplicates: 2 });
 * report.ok;
 */
export async function deliver(
  target: Target,
  events: TestPayload | readonly TestPayload[],
  options: DeliverOptions,
): Promise<DeliverReport> {
  const { duplicates = 0, concurrent = false, drop, timeoutMs = 15_000 } = options;
  if (!Number.isInteger(duplicates) || duplicates < 0)
    throw new TypeError('Failed to deliver: duplicates must be a whole number, 0 or more.');
  const messages = arrange(([events].flat() as TestPayload[]).map(toMessage), options.order);
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
    const answer = await send(target, sent, timeoutMs);
    return { id, ...answer, expected, ok: fits(answer.status, expected) };
  };
  const attempts: DeliverAttempt[] = [];
  if (concurrent) attempts.push(...(await Promise.all(rounds.map(attempt))));
  else for (const round of rounds) attempts.push(await attempt(round));
  return { ok: attempts.every(({ ok }) => ok) && eachAccepted(attempts, expected), attempts };
}

/** Copies in flight may be answered 503, but one of them must get through. */
function eachAccepted(attempts: readonly DeliverAttempt[], expected: string): boolean {
  if (expected !== '2xx or 503') return true;
  const accepted = new Set(
    attempts.filter(({ status }) => fits(status, '2xx')).map(({ id }) => id),
  );
  return attempts.every(({ id }) => accepted.has(id));
}

function expectation(options: DeliverOptions, racing: boolean): '2xx' | '2xx or 503' | '4xx' {
  const { tamper, skewSeconds = 0, tolerance = 300 } = options;
  if (tamper || Math.abs(skewSeconds) > tolerance) return '4xx';
  return racing ? '2xx or 503' : '2xx';
}

function fits(status: number, expected: '2xx' | '2xx or 503' | '4xx'): boolean {
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
