import type { InstanceContext } from 'contentgen/simulate';
import type { WebhookEvent } from 'contentgen/webhooks';
import { openShop } from '../shop.ts';

/** Bug: every error gets a 200, so the callback is never retried. */
export function swallowsErrors(context: InstanceContext) {
  const { client } = context;
  const { db, order, send, verify } = openShop(context);

  async function handle(event: WebhookEvent): Promise<void> {
    if (event.type !== 'generation_completed') return;
    const story = await client.content.get(event.payload.requestId ?? '');
    await db.transaction(async (tx) => {
      if (await tx.get(`done/${event.id}`)) return;
      await tx.set(`done/${event.id}`, true);
      await send(tx, story);
    });
  }

  return {
    order,
    async webhooks(request: Request): Promise<Response> {
      try {
        await handle(await verify(request));
      } catch (error) {
        console.error('Failed to handle a webhook:', error);
      }
      return new Response();
    },
  };
}
