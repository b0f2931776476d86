import type { Context } from '../context.ts';
import { takeFault } from '../faults.ts';
import type { Commit, JobHandler } from '../job-runner.ts';
import { onAbort } from '../on-abort.ts';
import { findOrganization } from '../organizations.ts';
import type { Delivery } from '../records.ts';
import { ConcurrencyLimiter, type ConcurrencyLimits, type Release } from './concurrency.ts';
import { type DeliveryFault, readDeliveryFault, type Sent, sendMessage } from './message.ts';
import { recordOutcome } from './outcome.ts';
import { cancelDelivery } from './queue.ts';
import { attemptTimeout } from './schedule.ts';
import { findTarget, type Target } from './target.ts';

export interface AttemptOptions {
  /** @default 50 to one endpoint, 500 to healthy endpoints together, 100 to failing ones */
  readonly limits?: ConcurrencyLimits;
}

/** Makes the handler of `delivery.attempt` jobs. */
export function createAttemptHandler(context: Context, options: AttemptOptions = {}): JobHandler {
  const limiter = new ConcurrencyLimiter(options.limits);

  return ({ ref: id }, signal) => {
    const found = findPending(context, id);
    if (!found) return undefined;
    const { delivery, target } = found;
    if (!target) return () => cancelDelivery(context, delivery);
    const slot = limiter.acquire(target.endpoint, target.failing, signal);
    if (!(slot instanceof Promise)) return slot && attemptInSlot(context, id, signal, slot);
    return slot.then((release) => release && attemptInSlot(context, id, signal, release));
  };
}

/** The delivery, if it is still pending, and where it goes now. */
function findPending(
  context: Context,
  id: string,
): { delivery: Delivery; target: Target | undefined } | undefined {
  const delivery = context.store.table('deliveries').get(id);
  if (delivery?.status !== 'pending') return undefined;
  return { delivery, target: findTarget(context, delivery) };
}

async function attemptInSlot(
  context: Context,
  id: string,
  signal: AbortSignal,
  release: Release,
): Promise<Commit | undefined> {
  try {
    const commit = await attempt(context, id, signal);
    // Held until the outcome is written: the next attempt must see it, for instance that the registration is disabled.
    return () => {
      try {
        commit?.();
      } finally {
        release(context.store.table('deliveries').get(id)?.status === 'delivered');
      }
    };
  } catch (error) {
    release(false);
    throw error;
  }
}

/** Sends the message and returns what to write; undefined when there is nothing left to send. */
async function attempt(
  context: Context,
  id: string,
  signal: AbortSignal,
): Promise<Commit | undefined> {
  // Read again, since waiting for the slot can take long. Once aborted, the state may belong to another server's life.
  const found = signal.aborted ? undefined : findPending(context, id);
  if (!found) return undefined;
  const { delivery, target } = found;
  if (!target) return () => cancelDelivery(context, delivery);
  const fault = takeDeliveryFault(context, delivery);
  if (fault?.delay) await waitOnClock(context, fault.delay, signal);
  const at = context.ports.clock.now();
  const deadline = startDeadline(context, signal);
  try {
    const sent = await sendMessage(context, delivery, target, fault, deadline.signal);
    return recordOutcome(context, id, target, at, sent);
  } catch (error) {
    // If a custom signer or transport throws, this attempt fails and the delivery is retried.
    if (!signal.aborted) {
      const failed: Sent = { outcome: { error: 'connection' }, signature: {} };
      context.store.transaction(recordOutcome(context, id, target, at, failed));
    }
    throw error;
  } finally {
    deadline.close();
  }
}

/** The armed fault that applies to this attempt, if any. */
function takeDeliveryFault(
  context: Context,
  { event, organization }: Delivery,
): DeliveryFault | undefined {
  if (context.store.table('faults').count() === 0) return undefined;
  const { rngStream } = findOrganization(context, organization);
  const effect = context.store.transaction(() => takeFault(context, 'delivery', event, rngStream));
  return effect && readDeliveryFault(effect);
}

/** A signal that aborts when the attempt's time is up on the server's clock, or together with `signal`. */
function startDeadline(context: Context, signal: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const stopListening = onAbort(signal, abort);
  const cancelTimer = context.scheduler.after(attemptTimeout, abort);
  return {
    signal: controller.signal,
    close() {
      stopListening();
      cancelTimer();
    },
  };
}

/** Lets time pass on the server's clock; ends early when the signal aborts. */
function waitOnClock(context: Context, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancelTimer = context.scheduler.after(ms, () => {
      stopListening();
      resolve();
    });
    const stopListening = onAbort(signal, () => {
      cancelTimer();
      resolve();
    });
  });
}
