import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

/** Bug: assumes that the first result belongs to the first order. */
export function orderAssumed(context: InstanceContext) {
  const { db, order, send, handler } = openShop(context);
  return {
    async order(number: number, prompt: string): Promise<void> {
      await db.set(`waiting/${number}`, true);
      await order(number, prompt);
    },
    webhooks: handler({
      generation_completed: ({ id, payload }) =>
        db.transaction(async (tx) => {
          if (await tx.get(`done/${id}`)) return;
          await tx.set(`done/${id}`, true);
          const [first = 'waiting/0'] = await tx.keys('waiting/');
          await tx.delete(first);
          await send(tx, payload, first.slice('waiting/'.length));
        }),
    }),
  };
}
