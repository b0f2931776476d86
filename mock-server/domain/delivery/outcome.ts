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
  const { ports, settings } = context;
  const attempt: Attempt = {
    ...attemptOf(outcome, signature, target, at, ports.clock.now()),
    ...(target.token !== undefined && { tokenHeader: settings.tokenHeader }),
    ...(copies.length > 0 && { copies }),
  };
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

function attemptOf(
  outcome: OutboundOutcome,
  requestHeaders: Sent['signature'],
  target: Target,
  at: number,
  now: number,
): Attempt {
  const durationMs = now - at;
  if ('error' in outcome) {
    const { error, reason } = outcome;
    return { at, durationMs, error, ...(reason !== undefined && { reason }), requestHeaders };
  }
  const { status, snippet, headers } = outcome;
  const known = [...target.secrets, target.token ?? ''];
  const response = redactSnippet(snippet, known);
  const kept = headers && keptHeaders(headers);
  return {
    at,
    status,
    durationMs,
    ...(!isSuccess(status) && { error: 'status', ...reasonFor(status) }),
    ...(response !== '' && { response }),
    ...(kept && { responseHeaders: redactHeaders(kept, known) }),
    requestHeaders,
  };
}

function reasonFor(status: number): { readonly reason?: string } {
  if (status === 410) return { reason: 'The receiver responded that it wants no more deliveries.' };
  if (status < 300 || status > 399) return {};
  return { reason: 'The receiver redirected the delivery. Redirects are not followed.' };
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
  const facts = { event, url, attempt: attempts.length, durationMs };
  if (error === undefined && status !== undefined) return { ...facts, status };
  return {
    ...facts,
    ...(status !== undefined && { status }),
    error: error ?? '',
    ...(reason !== undefined && { reason }),
  };
}

const maxBytes = 1024;

/**
 * The part of a receiver's response that is kept: at most 1 KiB of UTF-8, with anything that looks like a secret
 * removed.
 */
function redactSnippet(text: string, known: readonly string[]): string {
  // Redact before the final cut, or half a secret at its edge would go unnoticed. A character has at most four bytes.
  const start = text.length > 4 * maxBytes ? text.slice(0, 4 * maxBytes) : text;
  return cut(redact(start, known));
}

/** The headers of a receiver's response, with anything that looks like a secret removed. */
function redactHeaders(
  headers: Readonly<Record<string, string>>,
  known: readonly string[],
): Readonly<Record<string, string>> {
  const clean = (text: string) => redact(text, known);
  const all = Object.entries(headers);
  const text = all.flat().join('\n');
  if (clean(text) === text) return headers;
  return Object.fromEntries(all.map(([name, value]) => [clean(name), clean(value)]));
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

/** The headers to keep of a response, by lower-case name, up to 2 KiB; undefined if there are none. */
function keptHeaders(
  headers: Iterable<readonly [string, string]>,
): Readonly<Record<string, string>> | undefined {
  const kept: Record<string, string> = {};
  let length = 0;
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (droppedHeaders.has(key) || key === '__proto__') continue;
    const added = key.length + value.length;
    if (length + added > maxHeaderChars) continue;
    length += added;
    kept[key] = Object.hasOwn(kept, key) ? `${kept[key]}, ${value}` : value;
  }
  return length > 0 ? kept : undefined;
}
