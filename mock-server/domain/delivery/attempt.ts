import type { Context } from '../context.ts';
import { cancelDelivery } from '../deliveries.ts';
import type { Hold } from '../holds.ts';
import type { Commit, JobHandler, Run } from '../job-runner.ts';
import { findOrganization } from '../organizations.ts';
import type { Delivery, Fault } from '../records.ts';
import { takeFault } from '../take-fault.ts';
import { ConcurrencyLimiter, type Slot } from './concurrency.ts';
import { holdDelivery, isOvertaking, stopWaiting } from './held-deliveries.ts';
import { recordOutcome } from './outcome.ts';
import { attemptTimeout } from './retry-schedule.ts';
import {
  type DeliveryFault,
  findTarget,
  type Sent,
  sendMessage,
  type Target,
} from './send-message.ts';

/** Creates the handler of `delivery.attempt` jobs. */
export function createAttemptHandler(context: Context): JobHandler {
  let limiter = new ConcurrencyLimiter();
  let lifetime: AbortSignal | undefined;

  return ({ ref: id }, run) => {
    const found = findPending(context, id);
    if (!found) return undefined;
    const { delivery, target } = found;
    if (!target) return () => cancelDelivery(context, delivery);
    // After a reset, nothing is known of any endpoint, so that every run with the same seed is the same.
    if (lifetime !== context.scheduler.lifetime) limiter = new ConcurrencyLimiter();
    lifetime = context.scheduler.lifetime;
    return attemptInSlot(context, { delivery, target }, run, limiter);
  };
}

interface Pending {
  readonly delivery: Delivery;
  /** Undefined if its registration is gone or disabled. */
  readonly target: Target | undefined;
}

/** The delivery, if it is still pending, and where it goes now. */
function findPending(context: Context, id: string): Pending | undefined {
  const delivery = context.store.table('deliveries').get(id);
  return delivery?.status === 'pending'
    ? { delivery, target: findTarget(context, delivery) }
    : undefined;
}

async function attemptInSlot(
  context: Context,
  first: Pending & { target: Target },
  run: Run,
  limiter: ConcurrencyLimiter,
): Promise<Commit | undefined> {
  const { id, attempts } = first.delivery;
  const slot = limiter.acquire(first.target.endpoint);
  run.whenCanceled(() => limiter.release(slot));
  const end = () => {
    const row = context.store.table('deliveries').get(id);
    const last = row && row.attempts.length > attempts.length ? row.attempts.at(-1) : undefined;
    limiter.release(slot, last && last.status !== undefined);
  };
  try {
    let found: Pending | undefined = first;
    if (slot.state === 'waiting') {
      await turnOf(slot, run);
      // Waiting can take a while, and after a cancellation the state might have been replaced.
      found = run.isCanceled ? undefined : findPending(context, id);
    }
    const commit = found && (await attempt(context, found, run));
    // The slot is held until the outcome is written, because the next attempt must see it, for instance that the
    // registration is disabled.
    return () => {
      try {
        commit?.();
      } finally {
        end();
      }
    };
  } catch (error) {
    end();
    throw error;
  }
}

/** Resolves once the slot is taken or the run canceled. */
async function turnOf(slot: Slot, run: Run): Promise<void> {
  const resume = run.startWaiting();
  await new Promise<void>((resolve) => {
    slot.wake = resolve;
  });
  resume();
}

/** Sends the message and returns what to write; undefined when there is nothing left to send. */
async function attempt(
  context: Context,
  { delivery, target }: Pending,
  run: Run,
): Promise<Commit | undefined> {
  if (!target) return () => cancelDelivery(context, delivery);
  const { id } = delivery;
  const fault = takeDeliveryFault(context, delivery, target.url);
  if (fault?.reorder) return () => holdDelivery(context, delivery, target.url, 'reorder');
  const { delay } = fault ?? {};
  if (delay) return () => holdDelivery(context, delivery, target.url, { delay });
  const hold = context.holds.take('delivery', delivery.event, delivery.organization);
  const failure = hold && (await standStill(hold, run));
  const at = context.ports.clock.now();
  if (failure) return recordOutcome(context, id, target, at, failure);
  const cancelTimer = context.scheduler.after(attemptTimeout, () => run.stop());
  try {
    const sent = await sendMessage(context, delivery, target, fault, run.signal);
    return recordOutcome(context, id, target, at, sent);
  } catch (error) {
    // If a custom signer or transport throws, this attempt fails and the delivery is retried.
    if (!run.isCanceled) {
      const reason = "This server's signer or transport threw an error.";
      const failed: Sent = { outcome: { error: 'connection', reason }, signature: {} };
      context.store.transaction(recordOutcome(context, id, target, at, failed));
    }
    throw error;
  } finally {
    cancelTimer();
  }
}

/** The fault that applies to this attempt, if any. An attempt already delayed by a fault gets no second one. */
function takeDeliveryFault(
  context: Context,
  delivery: Delivery,
  url: string,
): DeliveryFault | undefined {
  if (delivery.held !== undefined) {
    stopWaiting(context, delivery);
    return undefined;
  }
  const { store, ports } = context;
  if (!ports.chooseFault && store.table('faults').count() === 0) return undefined;
  const { id: organization, rngStream } = findOrganization(context, delivery.organization);
  const attempt = delivery.attempts.length + 1;
  const subject = { organization, rngStream, ref: delivery.id, attempt };
  const overtakes = isOvertaking(context, url);
  const applies = (effect: Fault['effect']) => !(overtakes && effect['reorder'] === true);
  const effect = context.store.transaction(() => {
    const taken = takeFault(context, 'delivery', delivery.event, subject, applies);
    if (taken) noteFault(context, delivery, { attempt, effect: Object.keys(taken)[0] as string });
    return taken;
  });
  // Checked when it was added.
  return effect as DeliveryFault | undefined;
}

function noteFault(
  { store }: Context,
  { id }: Delivery,
  fault: NonNullable<Delivery['faults']>[number],
): void {
  const deliveries = store.table('deliveries');
  const row = deliveries.get(id);
  if (row) deliveries.put({ ...row, faults: [...(row.faults ?? []), fault] });
}

/** Waits until the test says how the attempt goes on; returns the outcome if it is to fail. */
async function standStill(hold: Hold, run: Run): Promise<Sent | undefined> {
  hold.begin();
  const step = await hold.next(run.signal, run.startWaiting());
  if (step.kind !== 'fail') return undefined;
  const { message = 'A test failed this attempt.' } = step.error;
  return { outcome: { error: 'connection', reason: message }, signature: {} };
}
