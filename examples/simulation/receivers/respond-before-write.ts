import type { InstanceContext } from 'contentgen/simulate';
import { openShop, type Story } from '../shop.ts';

/** Bug: a crash after the response loses what has not been written yet. */
export function respondBeforeWrite(context: InstanceContext) {
  const { db, order, send, verify } = openShop(context);

  const handle = (id: string, story: Story): Promise<void> =>
    db.transaction(async (tx) => {
      if (await tx.get(`done/${id}`)) return;
      await tx.set(`done/${id}`, true);
      await send(tx, story);
    });

  return {
    order,
    async webhooks(request: Request): Promise<Response> {
      const event = await verify(request);
      if (event.type === 'generation_completed') void handle(event.id, event.payload);
      return new Response();
    },
  };
}
