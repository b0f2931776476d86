import type { Context } from '../context.ts';
import { logChange } from '../event-log.ts';
import { randomPartOfId } from '../ids.ts';
import type { Commit } from '../job-runner.ts';
import { findOrganization } from '../organizations.ts';
import type { OutboundOutcome } from '../ports.ts';
import type { Attempt, Delivery, Json } from '../records.ts';
import { redact } from '../redact.ts';
import { recordFailure, recordSuccess } from '../registration-health.ts';
import { releaseReordered } from './held-deliveries.ts';
import { nextDelay } from './retry-schedule.ts';
import type { Sent, Target } from './send-message.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** Returns the commit that writes an attempt's outcome: the delivery has ended, or is retried later. */
export function recordOutcome(
  context: Context,
  id: string,
  target: Target,
  at: number,
  { outcome, signature, copies = [] }: Sent,
): Commit {
  const attempt = attemptOf(outcome, target, {
    at,
    durationMs: context.ports.clock.now() - at,
    requestHeaders: signature,
    tokenHeader: target.token === undefined ? undefined : context.settings.tokenHeader,
    copies: copies.length > 0 ? copies : undefined,
  });
  return () => {
    const delivery = context.store.table('deliveries').get(id);
    if (delivery?.status !== 'pending') return;
    // A spread would allocate spare capacity, which adds up over the thousands of deliveries that are kept.
    const attempts = delivery.attempts.length === 0 ? [attempt] : delivery.attempts.concat(attempt);
    const attempted = { ...delivery, url: target.url, attempts, held: undefined };
    if (attempt.error === undefined) finish(context, attempted, 'delivered', attempt);
    else if (attempt.status === 410) finish(context, attempted, 'failed', attempt);
    else retry(context, attempted, attempt, 'status' in outcome ? outcome.retryAfter : undefined);
    releaseReordered(context, target.url);
  };
}

type Sending = Pick<Attempt, 'at' | 'durationMs' | 'requestHeaders' | 'tokenHeader' | 'copies'>;

function attemptOf(outcome: OutboundOutcome, target: Target, sending: Sending): Attempt {
  if ('error' in outcome) return { ...sending, error: outcome.error, reason: outcome.reason };
  const { status } = outcome;
  const kept = keptResponse(outcome, [...target.secrets, target.token ?? '']);
  if (isSuccess(status)) return { ...sending, status, ...kept };
  return { ...sending, status, error: 'status', reason: reasonFor(status), ...kept };
}

function reasonFor(status: number): string | undefined {
  if (status === 410) return 'The receiver responded that it wants no more deliveries.';
  if (status < 300 || status > 399) return undefined;
  return 'The receiver redirected the delivery. Redirects are not followed.';
}

const endEvents = { delivered: 'delivery.delivered', failed: 'delivery.failed' };

/** Ends a delivery: a copy of its row that is not stored yet. */
function finish(
  context: Context,
  delivery: Delivery,
  status: keyof typeof endEvents,
  attempt: Attempt,
): void {
  const ended: Delivery = Object.assign(delivery, { status, nextAttemptAt: undefined });
  context.store.table('deliveries').put(ended);
  context.history.deliveryEnded(ended);
  logChange(context, delivery, endEvents[status], factsOf(delivery, attempt));
  const { webhookId } = delivery;
  if (webhookId === undefined) return;
  if (status === 'delivered') recordSuccess(context, webhookId);
  else recordFailure(context, webhookId, attempt.status === 410);
}

function retry(
  context: Context,
  delivery: Delivery,
  attempt: Attempt,
  retryAfter: string | undefined,
): void {
  const { clock, random } = context.ports;
  const { rngStream } = findOrganization(context, delivery.organization);
  const total = delivery.attempts.length;
  const delay = nextDelay(
    {
      attempts: total - (delivery.attemptsBefore ?? 0),
      ...(attempt.status !== undefined && { status: attempt.status }),
      ...(retryAfter !== undefined && { retryAfter }),
    },
    random.fractionFor(rngStream, `${randomPartOfId(delivery.messageId)}:${total}`),
    clock.wall(),
  );
  if (delay === undefined) {
    finish(context, delivery, 'failed', attempt);
    return;
  }
  const nextAttemptAt = clock.now() + delay;
  context.store.table('deliveries').put(Object.assign(delivery, { nextAttemptAt }));
  context.scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAt);
  logChange(context, delivery, 'delivery.attempted', {
    ...factsOf(delivery, attempt),
    nextAttemptAt: new Date(nextAttemptAt).toISOString(),
  });
  if (delivery.webhookId !== undefined) recordFailure(context, delivery.webhookId, false);
}

function factsOf({ event, url, attempts }: Delivery, attempt: Attempt): Record<string, Json> {
  const { durationMs, status, error, reason } = attempt;
  const facts: Record<string, Json> = { event, url, attempt: attempts.length, durationMs };
  if (status !== undefined) facts['status'] = status;
  if (error !== undefined) facts['error'] = error;
  if (reason !== undefined) facts['reason'] = reason;
  return facts;
}

const maxBytes = 1024;

/**
 * What is kept of a receiver's response, with anything that looks like a secret removed: at most 1 KiB of its body in
 * UTF-8, and its headers.
 */
function keptResponse(
  { snippet, headers = [] }: Extract<OutboundOutcome, { snippet: string }>,
  secrets: readonly string[],
): Pick<Attempt, 'response' | 'responseHeaders'> {
  // Redact before the final cut, or half a secret at its edge would go unnoticed. A character has at most four bytes.
  const start = snippet.length > 4 * maxBytes ? snippet.slice(0, 4 * maxBytes) : snippet;
  const fields = keptHeaders(headers);
  const text = `${start}\n${fields.flat().join('\n')}`;
  // Few responses have a secret, so all of it is searched at once.
  const isClean = redact(text, secrets) === text;
  const clean = (part: string) => (isClean ? part : redact(part, secrets));
  const response = cut(clean(start));
  return {
    response: response === '' ? undefined : response,
    responseHeaders:
      fields.length === 0
        ? undefined
        : Object.fromEntries(isClean ? fields : fields.map((field) => field.map(clean))),
  };
}

function cut(text: string): string {
  if (text.length * 3 <= maxBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/**
 * Headers that concern only one connection, cookies, and headers that differ in every response without meaning
 * anything.
 */
const droppedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'set-cookie',
  'set-cookie2',
  'transfer-encoding',
]);
const maxHeaderChars = 2048;

/** The headers to keep of a response, with lower-case names that are unique, up to 2 KiB. */
function keptHeaders(
  headers: Iterable<readonly [string, string]>,
): (readonly [name: string, value: string])[] {
  const kept: [string, string][] = [];
  let length = 0;
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (droppedHeaders.has(key) || key === '__proto__') continue;
    const added = key.length + value.length;
    if (length + added > maxHeaderChars) continue;
    length += added;
    const same = kept.find(([known]) => known === key);
    if (same) same[1] += `, ${value}`;
    else kept.push([key, value]);
  }
  return kept;
}
