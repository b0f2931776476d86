import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

/** Bug: the callback can arrive before the response that says which order it belongs to. */
export function callbackBefore202(context: InstanceContext) {
  const { client, url } = context;
  const { db, send, handler } = openShop(context);
  return {
    async order(number: number, prompt: string): Promise<void> {
      const request = { prompt, metadata: { order: `${number}` }, webhookUrl: url };
      const { requestId } = await client.content.start(request, { idempotencyKey: `${number}` });
      await db.set(`order of ${requestId}`, `${number}`);
    },
    webhooks: handler({
      generation_completed: ({ id, payload }) =>
        db.transaction(async (tx) => {
          const order = await tx.get<string>(`order of ${payload.requestId}`);
          if (order === undefined || (await tx.get(`done/${id}`))) return;
          await tx.set(`done/${id}`, true);
          await send(tx, payload, order);
        }),
    }),
  };
}
