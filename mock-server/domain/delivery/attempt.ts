import { takeFault } from '../faults.ts';
import { findOrganization } from '../organizations.ts';
import type { Json } from '../ports.ts';
import type { Attempt, Delivery } from '../records.ts';
import type { Commit, JobHandler } from '../scheduler.ts';
import type { World } from '../world.ts';
import { noteFailure, noteSuccess } from './health.ts';
import { createLanes, type LaneLimits, type Leave } from './lanes.ts';
import { type DeliveryFault, readDeliveryFault, type Sent, sendMessage } from './message.ts';
import { cancelDelivery, logDelivery, putFinished } from './queue.ts';
import { attemptTimeout, nextDelay } from './schedule.ts';
import { redactSnippet } from './snippet.ts';
import { findTarget, type Target } from './target.ts';

/** What the attempts of a world take from outside of it. */
export interface AttemptOptions {
  /** @default 50 to one endpoint, 500 to all, 100 to failing ones */
  readonly limits?: LaneLimits;
}

/** Makes the handler of `delivery.attempt` jobs. */
export function createAttemptHandler(world: World, options: AttemptOptions = {}): JobHandler {
  const lanes = createLanes(options.limits);
  const deliveries = world.store.table('deliveries');
  const pending = (id: string) => {
    const delivery = deliveries.get(id);
    return delivery?.status === 'pending' ? delivery : undefined;
  };

  /** Sends what is due now, and answers what to write of it; undefined when nothing is due any more. */
  async function perform(id: string, signal: AbortSignal): Promise<Commit | undefined> {
    // The wait for a place may have been long: what holds now counts.
    const delivery = pending(id);
    if (!delivery) return undefined;
    const target = findTarget(world, delivery);
    if (!target) return () => cancelDelivery(world, delivery);
    const fault = strike(world, delivery);
    if (fault?.delay) await elapse(world, fault.delay, signal);
    const at = world.ports.clock.now();
    const send = (deadline: AbortSignal) =>
      sendMessage(world, delivery, target, { fault, signal: deadline });
    try {
      const sent = await withDeadline(world, signal, send);
      return recordOutcome(world, id, target, at, sent);
    } catch (error) {
      // A signer or transport of the caller's own that throws costs one attempt, not the delivery.
      if (!signal.aborted) {
        const failed: Sent = { outcome: { error: 'connection' }, signature: {} };
        world.store.transaction(recordOutcome(world, id, target, at, failed));
      }
      throw error;
    }
  }

  async function attempt({ id }: Delivery, target: Target, signal: AbortSignal) {
    const entered = lanes.enter(target.endpoint, target.suspect, signal);
    const leave = entered instanceof Promise ? await entered : entered;
    if (!leave) return undefined;
    // The place is given back once the outcome is written, or the next attempt would not know that its target is gone.
    const leaveOnce = once(leave, signal);
    const succeeded = () => deliveries.get(id)?.status === 'delivered';
    try {
      const commit = await perform(id, signal);
      return () => {
        try {
          commit?.();
        } finally {
          leaveOnce(succeeded());
        }
      };
    } catch (error) {
      leaveOnce(false);
      throw error;
    }
  }

  return (job, { signal }) => {
    const delivery = pending(job.ref);
    if (!delivery) return undefined;
    const target = findTarget(world, delivery);
    return target ? attempt(delivery, target, signal) : () => cancelDelivery(world, delivery);
  };
}

/** How this attempt goes wrong, if a test wants it to. */
function strike(world: World, { event, organization }: Delivery): DeliveryFault | undefined {
  if (world.store.table('faults').count() === 0) return undefined;
  const { ordinal } = findOrganization(world, organization);
  const effect = world.store.transaction(() => takeFault(world, 'delivery', event, ordinal));
  return effect && readDeliveryFault(effect);
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function recordOutcome(
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

/** Lets a place be left once: by whoever is first, an abort included. */
function once(leave: Leave, signal: AbortSignal): Leave {
  let inside = true;
  const leaveOnce: Leave = (succeeded) => {
    if (!inside) return;
    inside = false;
    signal.removeEventListener('abort', onAbort);
    leave(succeeded);
  };
  const onAbort = () => leaveOnce(false);
  signal.addEventListener('abort', onAbort, { once: true });
  return leaveOnce;
}

/** Gives work until the attempt's deadline on the server's clock. */
async function withDeadline<T>(
  world: World,
  signal: AbortSignal,
  work: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const abort = () => deadline.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const callOff = world.scheduler.after(attemptTimeout, abort);
  try {
    return await work(deadline.signal);
  } finally {
    callOff();
    signal.removeEventListener('abort', abort);
  }
}

/** Lets time pass on the server's clock; ends early when the signal aborts. */
function elapse(world: World, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      callOff();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const callOff = world.scheduler.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
