import { takeFault } from '../faults.ts';
import { findOrganization } from '../organizations.ts';
import type { Delivery } from '../records.ts';
import type { Commit, JobHandler } from '../scheduler.ts';
import type { World } from '../world.ts';
import { createLanes, type LaneLimits, type Leave } from './lanes.ts';
import { type DeliveryFault, readDeliveryFault, type Sent, sendMessage } from './message.ts';
import { recordOutcome } from './outcome.ts';
import { cancelDelivery } from './queue.ts';
import { findTarget, type Target } from './target.ts';
import { elapse, withDeadline } from './timing.ts';

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
