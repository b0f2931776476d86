import type { World } from '../context.ts';
import { findOrganization } from '../organizations.ts';
import type { Json, OutboundOutcome } from '../ports.ts';
import type { Attempt, Delivery } from '../records.ts';
import type { Commit } from '../scheduler.ts';
import { noteFailure, noteSuccess } from './health.ts';
import type { Sent } from './message.ts';
import { logDelivery, putFinished } from './queue.ts';
import { nextDelay } from './schedule.ts';
import { redactSnippet } from './snippet.ts';
import type { Target } from './target.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** What an attempt's outcome means for its delivery, to be written in one commit. */
export function recordOutcome(
  world: World,
  id: string,
  target: Target,
  at: number,
  { outcome, signature }: Sent,
): Commit {
  const attempt = attemptOf(outcome, signature, target, at, world.ports.clock.now());
  return () => {
    const delivery = world.store.table('deliveries').get(id);
    if (delivery?.status !== 'pending') return;
    // No longer than it is: a spread would leave room for the attempts of a lifetime.
    const attempts = delivery.attempts.length === 0 ? [attempt] : delivery.attempts.concat(attempt);
    const tried = { ...delivery, url: target.url, attempts };
    if (attempt.error === undefined) finish(world, tried, 'delivered', attempt);
    else if (attempt.status === 410) finish(world, tried, 'failed', attempt);
    else retry(world, tried, attempt, 'status' in outcome ? outcome.retryAfter : undefined);
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
  world: World,
  delivery: Delivery,
  status: keyof typeof ends,
  attempt: Attempt,
): void {
  putFinished(world, { ...delivery, status, nextAttemptAt: undefined });
  logDelivery(world, delivery, ends[status], factsOf(delivery, attempt));
  if (status === 'delivered') noteSuccess(world, delivery);
  else noteFailure(world, delivery, attempt.status === 410);
}

function retry(
  world: World,
  delivery: Delivery,
  attempt: Attempt,
  retryAfter: string | undefined,
): void {
  const { clock, random } = world.ports;
  const { ordinal } = findOrganization(world, delivery.organization);
  const total = delivery.attempts.length;
  const delay = nextDelay(
    {
      attempts: total - (delivery.attemptsBefore ?? 0),
      ...(attempt.status !== undefined && { status: attempt.status }),
      ...(retryAfter !== undefined && { retryAfter }),
    },
    random.fractionFor(ordinal, `${delivery.messageId}:${total}`),
    clock.wall(),
  );
  if (delay === undefined) {
    finish(world, delivery, 'failed', attempt);
    return;
  }
  const nextAttemptAt = clock.now() + delay;
  world.store.table('deliveries').put({ ...delivery, nextAttemptAt });
  world.scheduler.schedule('delivery.attempt', delivery.id, nextAttemptAt);
  logDelivery(world, delivery, 'delivery.attempted', {
    ...factsOf(delivery, attempt),
    nextAttemptAt,
  });
  noteFailure(world, delivery, false);
}

function factsOf({ event, url, attempts }: Delivery, attempt: Attempt): Record<string, Json> {
  const { durationMs, status, error } = attempt;
  const number = attempts.length;
  if (status === undefined) return { event, url, attempt: number, durationMs, error: error ?? '' };
  if (error === undefined) return { event, url, attempt: number, durationMs, status };
  return { event, url, attempt: number, durationMs, status, error };
}
