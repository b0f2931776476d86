import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

/** Bug: two customers who order the same story get one email. */
export function dedupeByContent(context: InstanceContext) {
  const { db, order, send, handler } = openShop(context);
  return {
    order,
    webhooks: handler({
      generation_completed: ({ payload }) =>
        db.transaction(async (tx) => {
          const mark = `done/${hash(payload.result)}`;
          if (await tx.get(mark)) return;
          await tx.set(mark, true);
          await send(tx, payload);
        }),
    }),
  };
}

function hash(text: string): string {
  let value = 0;
  for (let at = 0; at < text.length; at += 1) {
    value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0;
  }
  return value.toString(16);
}
