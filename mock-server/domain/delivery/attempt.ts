import type { Context } from '../context.ts';
import { takeFault } from '../faults.ts';
import { findOrganization } from '../organizations.ts';
import type { Delivery } from '../records.ts';
import type { Commit, Flight, JobHandler } from '../scheduler.ts';
import { createLanes, type LaneLimits, type Leave } from './concurrency.ts';
import { type DeliveryFault, readDeliveryFault, type Sent, sendMessage } from './message.ts';
import { recordOutcome } from './outcome.ts';
import { cancelDelivery } from './queue.ts';
import { findTarget, type Target } from './target.ts';
import { elapse, openDeadline } from './timing.ts';

/** What the attempts of a world take from outside of it. */
export interface AttemptOptions {
  /** @default 50 to one endpoint, 500 to all, 100 to failing ones */
  readonly limits?: LaneLimits;
}

/** Makes the handler of `delivery.attempt` jobs. */
export function createAttemptHandler(context: Context, options: AttemptOptions = {}): JobHandler {
  const lanes = createLanes(options.limits);
  const deliveries = context.store.table('deliveries');

  /** The delivery, if it is still to be made, and where it goes now. */
  function look(id: string): { delivery: Delivery; target: Target | undefined } | undefined {
    const delivery = deliveries.get(id);
    if (delivery?.status !== 'pending') return undefined;
    return { delivery, target: findTarget(context, delivery) };
  }

  /** Sends what is due now, and answers what to write of it; undefined when nothing is due any more. */
  async function perform(id: string, flight: Flight): Promise<Commit | undefined> {
    // The wait for a place may have been long: what holds now counts, and what was stopped finds a world not its own.
    const found = flight.aborted ? undefined : look(id);
    if (!found) return undefined;
    const { delivery, target } = found;
    if (!target) return () => cancelDelivery(context, delivery);
    const fault = strike(context, delivery);
    if (fault?.delay) await elapse(context, fault.delay, flight);
    const at = context.ports.clock.now();
    const deadline = openDeadline(context, flight);
    try {
      const sent = await sendMessage(context, delivery, target, fault, deadline.stop);
      return recordOutcome(context, id, target, at, sent);
    } catch (error) {
      // A signer or transport of the caller's own that throws costs one attempt, not the delivery.
      if (!flight.aborted) {
        const failed: Sent = { outcome: { error: 'connection' }, signature: {} };
        context.store.transaction(recordOutcome(context, id, target, at, failed));
      }
      throw error;
    } finally {
      deadline.close();
    }
  }

  async function attempt(id: string, flight: Flight, leave: Leave): Promise<Commit | undefined> {
    // The place is given back once the outcome is written, or the next attempt would not know that its target is gone.
    const leaveOnce = once(leave, flight);
    try {
      const commit = await perform(id, flight);
      return () => {
        try {
          commit?.();
        } finally {
          leaveOnce(deliveries.get(id)?.status === 'delivered');
        }
      };
    } catch (error) {
      leaveOnce(false);
      throw error;
    }
  }

  return ({ ref }, flight) => {
    const found = look(ref);
    if (!found) return undefined;
    const { delivery, target } = found;
    if (!target) return () => cancelDelivery(context, delivery);
    const place = lanes.enter(target.endpoint, target.suspect, flight);
    if (!(place instanceof Promise)) return place && attempt(ref, flight, place);
    return place.then((leave) => leave && attempt(ref, flight, leave));
  };
}

/** How this attempt goes wrong, if a test wants it to. */
function strike(context: Context, { event, organization }: Delivery): DeliveryFault | undefined {
  if (context.store.table('faults').count() === 0) return undefined;
  const { ordinal } = findOrganization(context, organization);
  const effect = context.store.transaction(() => takeFault(context, 'delivery', event, ordinal));
  return effect && readDeliveryFault(effect);
}

/** Lets a place be left once: by whoever is first, an abort included. */
function once(leave: Leave, flight: Flight): Leave {
  let inside = true;
  const leaveOnce: Leave = (succeeded) => {
    if (!inside) return;
    inside = false;
    leave(succeeded);
  };
  // Stopped between the moment that a place was given and the one that it is taken: nobody will tell of it again.
  if (flight.aborted) leaveOnce(false);
  else flight.addEventListener('abort', () => leaveOnce(false), { once: true });
  return leaveOnce;
}
