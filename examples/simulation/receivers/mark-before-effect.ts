import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

/** Bug: after a crash between the mark and the email, the email is never sent. */
export function markBeforeEffect(context: InstanceContext) {
  const { db, order, send, verify } = openShop(context);
  return {
    order,
    async webhooks(request: Request): Promise<Response> {
      const event = await verify(request);
      if (event.type !== 'generation_completed') return new Response();
      const isNew = await db.transaction(async (tx) => {
        if (await tx.get(`done/${event.id}`)) return false;
        await tx.set(`done/${event.id}`, true);
        return true;
      });
      if (isNew) await db.transaction((tx) => send(tx, event.payload));
      return new Response();
    },
  };
}
