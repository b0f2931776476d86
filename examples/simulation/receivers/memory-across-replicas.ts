import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

/** Bug: each instance remembers, in memory, only the deliveries that it handled itself. */
export function memoryAcrossReplicas(context: InstanceContext) {
  const { db, order, send, handler } = openShop(context);
  return {
    order,
    webhooks: handler({
      generation_completed: ({ payload }) => db.transaction((tx) => send(tx, payload)),
    }),
  };
}
