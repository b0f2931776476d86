import type { Context } from '../context.ts';
import { logChange } from '../event-log.ts';
import { randomPartOfId } from '../ids.ts';
import type { Commit } from '../job-runner.ts';
import { findOrganization } from '../organizations.ts';
import { timestamp } from '../periods.ts';
import type { OutboundOutcome } from '../ports.ts';
import type { Attempt, Delivery, Json } from '../records.ts';
import { redact, SHORTEST_SECRET } from '../redact.ts';
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
  const { status, error, reason, kept } = verdictOn(outcome, target);
  const attempt: Attempt = {
    at,
    status,
    durationMs: context.ports.clock.now() - at,
    error,
    reason,
    response: kept?.response,
    responseHeaders: kept?.responseHeaders,
    requestHeaders: signature,
    copies: copies.length > 0 ? copies : undefined,
  };
  const retryAfter = 'status' in outcome ? outcome.retryAfter : undefined;
  return () => {
    const row = context.store.table('deliveries').get(id);
    if (row?.status !== 'pending') return;
    writeAttempt(context, row, target.url, attempt, retryAfter);
    releaseReordered(context, target.url);
  };
}

const events = {
  delivered: 'delivery.delivered',
  failed: 'delivery.failed',
  pending: 'delivery.attempted',
};

/** The delivery has ended, or is retried later. */
function writeAttempt(
  context: Context,
  row: Delivery,
  url: string,
  attempt: Attempt,
  retryAfter: string | undefined,
): void {
  const retryAt = retryTime(context, row, attempt, retryAfter);
  const end = attempt.error === undefined ? 'delivered' : 'failed';
  const status = retryAt === undefined ? end : 'pending';
  const delivery = rowAfter(row, url, attempt, status, retryAt);
  context.store.table('deliveries').put(delivery);
  const facts = factsOf(delivery, attempt);
  if (retryAt === undefined) context.history.deliveryEnded(delivery);
  else {
    context.scheduler.schedule('delivery.attempt', delivery.id, retryAt);
    facts['nextAttemptAt'] = timestamp(retryAt);
  }
  logChange(context, delivery, events[status], facts);
  const { webhookId } = delivery;
  if (webhookId === undefined) return;
  if (status === 'delivered') recordSuccess(context, webhookId);
  else recordFailure(context, webhookId, attempt.status === 410);
}

interface Verdict extends Pick<Attempt, 'status' | 'error' | 'reason'> {
  readonly kept?: KeptResponse;
}

function verdictOn(outcome: OutboundOutcome, { secrets, token }: Target): Verdict {
  if ('error' in outcome) return outcome;
  const { status } = outcome;
  const kept = keptResponse(outcome, token === undefined ? secrets : [...secrets, token]);
  if (isSuccess(status)) return { status, kept };
  return { status, error: 'status', reason: reasonFor(status), kept };
}

function reasonFor(status: number): string | undefined {
  if (status === 410) return 'The receiver responded that it wants no more deliveries.';
  if (status < 300 || status > 399) return undefined;
  return 'The receiver redirected the delivery. Redirects are not followed.';
}

/** The row after one more attempt. */
function rowAfter(
  row: Delivery,
  url: string,
  attempt: Attempt,
  status: Delivery['status'],
  nextAttemptAt: number | undefined,
): Delivery {
  // A literal costs a quarter of a spread, and allocates no spare capacity.
  return {
    id: row.id,
    organization: row.organization,
    project: row.project,
    messageId: row.messageId,
    webhookId: row.webhookId,
    requestId: row.requestId,
    event: row.event,
    url,
    body: row.body,
    headers: row.headers,
    status,
    createdAt: row.createdAt,
    nextAttemptAt,
    attempts: row.attempts.length === 0 ? [attempt] : row.attempts.concat(attempt),
    attemptsBefore: row.attemptsBefore,
    held: undefined,
    faults: row.faults,
  } satisfies Record<keyof Delivery, unknown>;
}

/** When the next attempt is due; undefined if there is none. */
function retryTime(
  context: Context,
  { organization, messageId, attempts, attemptsBefore = 0 }: Delivery,
  { status, error }: Attempt,
  retryAfter: string | undefined,
): number | undefined {
  if (error === undefined || status === 410) return undefined;
  const { clock, random } = context.ports;
  const { rngStream } = findOrganization(context, organization);
  const total = attempts.length + 1;
  const delay = nextDelay(
    { attempts: total - attemptsBefore, status, retryAfter },
    random.fractionFor(rngStream, `${randomPartOfId(messageId)}:${total}`),
    clock.wall(),
  );
  return delay === undefined ? undefined : clock.now() + delay;
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

type KeptResponse = Pick<Attempt, 'response' | 'responseHeaders'>;

/**
 * What is kept of a receiver's response, with anything that looks like a secret removed: at most 1 KiB of its body in
 * UTF-8, and its headers.
 */
function keptResponse(
  { snippet, headers = [] }: Extract<OutboundOutcome, { snippet: string }>,
  secrets: readonly string[],
): KeptResponse {
  // Redact before the final cut, or half a secret at its edge would go unnoticed. A character has at most four bytes.
  const start = snippet.length > 4 * maxBytes ? snippet.slice(0, 4 * maxBytes) : snippet;
  const fields = keptHeaders(headers);
  // Few responses have a secret, so all that is long enough for one is searched at once.
  const least = Math.min(SHORTEST_SECRET, ...secrets.map(({ length }) => length));
  let text = start.length < least ? '' : start;
  for (const field of fields) {
    for (const part of field) if (part.length >= least) text += `\n${part}`;
  }
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
