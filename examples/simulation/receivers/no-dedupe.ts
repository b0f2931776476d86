import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

/** Bug: a callback that arrives again is handled again. */
export function noDedupe(context: InstanceContext) {
  const { db, order, send, verify } = openShop(context);
  return {
    order,
    async webhooks(request: Request): Promise<Response> {
      const event = await verify(request);
      if (event.type === 'generation_completed')
        await db.transaction((tx) => send(tx, event.payload));
      return new Response();
    },
  };
}
