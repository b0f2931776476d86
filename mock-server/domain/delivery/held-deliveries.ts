import type { Context } from '../context.ts';
import type { Delivery } from '../records.ts';

/** How long a delivery waits for another one to overtake it, in milliseconds on the server's clock. */
const LONGEST_REORDER_MS = 30_000;

/**
 * Postpones the next attempt because of a fault. Until then it is a job like any other: it takes no slot of its
 * endpoint and survives a restart. Call it inside the commit that ends the current job.
 */
export function holdDelivery(
  context: Context,
  delivery: Delivery,
  url: string,
  fault: { readonly delay: number } | 'reorder',
): void {
  const reordered = fault === 'reorder';
  const at = context.ports.clock.now() + (reordered ? LONGEST_REORDER_MS : fault.delay);
  const held = reordered ? 'reorder' : 'delay';
  const deliveries = context.store.table('deliveries');
  const row = deliveries.get(delivery.id) ?? delivery;
  deliveries.put({ ...row, url, held, nextAttemptAt: at });
  context.scheduler.schedule('delivery.attempt', delivery.id, at);
}

/** Whether a delivery to this URL is waiting to be overtaken, so that the next one goes ahead. */
export function isOvertaking(context: Context, url: string): boolean {
  return context.store.table('deliveries').count({ index: 'reordered', key: url }) > 0;
}

export function releaseReordered(context: Context, url: string): void {
  const deliveries = context.store.table('deliveries');
  const now = context.ports.clock.now();
  for (;;) {
    const delivery = deliveries.find('reordered', url);
    if (!delivery) return;
    context.scheduler.cancel(delivery.id, 'delivery.attempt');
    stopWaiting(context, { ...delivery, nextAttemptAt: now });
    context.scheduler.schedule('delivery.attempt', delivery.id, now);
  }
}

/** Ends the wait for another delivery. The delivery stays marked, so that no other fault applies to the attempt. */
export function stopWaiting(context: Context, delivery: Delivery): void {
  context.store.table('deliveries').put({ ...delivery, held: 'delay' });
}
