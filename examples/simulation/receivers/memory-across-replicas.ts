import type { InstanceContext } from 'contentgen/simulate';
import { createWebhookHandler, memoryDedupe } from 'contentgen/webhooks';
import { openShop } from '../shop.ts';

/** Bug: each instance remembers only the deliveries that it handled itself. */
export function memoryAcrossReplicas(context: InstanceContext) {
  const { db, order, send, secrets } = openShop(context);
  return {
    order,
    webhooks: createWebhookHandler({
      secret: secrets,
      now: context.clock.now,
      dedupe: memoryDedupe({ now: context.clock.now }),
      on: {
        generation_completed: ({ payload }) => db.transaction((tx) => send(tx, payload)),
      },
    }),
  };
}
