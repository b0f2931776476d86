import type { Context } from '../context.ts';
import type { Commit } from '../job-runner.ts';
import { findOrganization } from '../organizations.ts';
import type { OutboundOutcome } from '../ports.ts';
import type { Attempt, Delivery, Json } from '../records.ts';
import { noteFailure, noteSuccess } from './health.ts';
import type { Sent } from './message.ts';
import { logDelivery, putFinished } from './queue.ts';
import { nextDelay } from './schedule.ts';
import { redactSnippet } from './snippet.ts';
import type { Target } from './target.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** What an attempt's outcome means for its delivery, to be written in one commit. */
export function recordOutcome(
  context: Context,
  id: string,
  target: Target,
  at: number,
  { outcome, signature }: Sent,
): Commit {
  const attempt = attemptOf(outcome, signature, target, at, context.ports.clock.now());
  return () => {
    const delivery = context.store.table('deliveries').get(id);
    if (delivery?.status !== 'pending') return;
    // No longer than it is: a spread would leave room for the attempts of a lifetime.
    const attempts = delivery.attempts.length === 0 ? [attempt] : delivery.attempts.concat(attempt);
    const tried = { ...delivery, url: target.url, attempts };
    if (attempt.error === undefined) finish(context, tried, 'delivered', attempt);
    else if (attempt.status === 410) finish(context, tried, 'failed', attempt);
    else retry(context, tried, attempt, 'status' in outcome ? outcome.retryAfter : undefined);
  };
}

function attemptOf(
  outcome: OutboundOutcome,
  headers: Sent['signature'],
  target: Target,
  at: number,
  now: number,
): Attempt {
  const durationMs = now - at;
  if ('error' in outcome) return { at, durationMs, error: outcome.error, headers };
  const { status, snippet } = outcome;
  const response = redactSnippet(snippet, [...target.secrets, target.token ?? '']);
  const answered = { at, status, durationMs, headers };
  const tried: Attempt = isSuccess(status) ? answered : { ...answered, error: 'status' };
  return response === '' ? tried : { ...tried, response };
}

const ends = { delivered: 'delivery.delivered', failed: 'delivery.failed' };

/** Writes a delivery's last attempt. */
function finish(
  context: Context,
  delivery: Delivery,
  status: keyof typeof ends,
  attempt: Attempt,
): void {
  putFinished(context, { ...delivery, status, nextAttemptAt: undefined });
  logDelivery(context, delivery, ends[status], factsOf(delivery, attempt));
  if (status === 'delivered') noteSuccess(context, delivery);
  else noteFailure(context, delivery, attempt.status === 410);
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
    random.fractionFor(rngStream, `${delivery.messageId}:${total}`),
    clock.wall(),
  );
  if (delay === undefined) {
    finish(context, delivery, 'failed', attempt);
    return;
  }
  const nextAttemptAt = clock.now() + delay;
  context.store.table('deliveries').put({ ...delivery, nextAttemptAt });
  context.scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAt);
  logDelivery(context, delivery, 'delivery.attempted', {
    ...factsOf(delivery, attempt),
    nextAttemptAt,
  });
  noteFailure(context, delivery, false);
}

function factsOf({ event, url, attempts }: Delivery, attempt: Attempt): Record<string, Json> {
  const { durationMs, status, error } = attempt;
  const number = attempts.length;
  if (status === undefined) return { event, url, attempt: number, durationMs, error: error ?? '' };
  if (error === undefined) return { event, url, attempt: number, durationMs, status };
  return { event, url, attempt: number, durationMs, status, error };
}
