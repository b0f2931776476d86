import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

/** Bug: after a crash between the email and the mark, the email is sent twice. */
export function markAfterEffect(context: InstanceContext) {
  const { db, order, send, handler } = openShop(context);
  return {
    order,
    webhooks: handler({
      generation_completed: async ({ id, payload }) => {
        if (await db.get(`done/${id}`)) return;
        await db.transaction((tx) => send(tx, payload));
        await db.set(`done/${id}`, true);
      },
    }),
  };
}
