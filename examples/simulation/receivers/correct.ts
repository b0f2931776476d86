import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

interface Catalog {
  readonly updatedAt: string;
  readonly records: number;
}

/** Writes mark and effect in one transaction, and keeps the newest data no matter when it arrives. */
export function correct(context: InstanceContext) {
  const { db, order, send, subscribe, handler } = openShop(context);
  const webhooks = handler({
    generation_completed: ({ id, payload }) =>
      db.transaction(async (tx) => {
        if (await tx.get(`done/${id}`)) return;
        await tx.set(`done/${id}`, true);
        await send(tx, payload);
      }),
    data_updated: ({ payload: { source, records, updatedAt } }) =>
      db.transaction(async (tx) => {
        const kept = await tx.get<Catalog>(`catalog/${source}`);
        if (kept && kept.updatedAt > updatedAt) return;
        await tx.set(`catalog/${source}`, { updatedAt, records });
      }),
  });
  return { order, subscribe, webhooks };
}
