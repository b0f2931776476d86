import { findOrganization } from '../organizations.ts';
import type { Json } from '../ports.ts';
import type { Attempt, Delivery } from '../records.ts';
import type { Commit } from '../scheduler.ts';
import type { World } from '../world.ts';
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
  const now = world.ports.clock.now();
  const answered = 'status' in outcome ? outcome : undefined;
  const known = [...target.secrets, target.token ?? ''];
  const response = redactSnippet(answered?.snippet ?? '', known);
  const attempt: Attempt = {
    at,
    ...(answered && { status: answered.status }),
    durationMs: now - at,
    ...('error' in outcome && { error: outcome.error }),
    ...(answered && !isSuccess(answered.status) && { error: 'status' }),
    ...(response !== '' && { response }),
    headers: signature,
  };
  return () => {
    const delivery = world.store.table('deliveries').get(id);
    if (delivery?.status !== 'pending') return;
    const { nextAttemptAt: _, ...rest } = delivery;
    const tried = { ...rest, url: target.url, attempts: [...delivery.attempts, attempt] };
    if (attempt.error === undefined) finish(world, { ...tried, status: 'delivered' }, attempt);
    else if (attempt.status === 410) finish(world, { ...tried, status: 'failed' }, attempt);
    else retry(world, tried, attempt, answered?.retryAfter);
  };
}

/** Writes a delivery's last attempt. */
function finish(world: World, delivery: Delivery, attempt: Attempt): void {
  putFinished(world, delivery);
  logDelivery(world, delivery, `delivery.${delivery.status}`, factsOf(delivery, attempt));
  if (delivery.status === 'delivered') noteSuccess(world, delivery);
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
    finish(world, { ...delivery, status: 'failed' }, attempt);
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

function factsOf(delivery: Delivery, attempt: Attempt): Record<string, Json> {
  return {
    event: delivery.event,
    url: delivery.url,
    attempt: delivery.attempts.length,
    durationMs: attempt.durationMs,
    ...(attempt.status !== undefined && { status: attempt.status }),
    ...(attempt.error !== undefined && { error: attempt.error }),
  };
}
