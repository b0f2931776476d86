import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';
import { correct } from './correct.ts';

interface Catalog {
  readonly sentAt: number;
  readonly records: number;
}

/** Bug: the time a message was sent is not the age of its data, so a late retry of old data looks new. */
export function timestampAsVersion(context: InstanceContext) {
  const { db, handler } = openShop(context);
  const others = correct(context);
  const updates = handler({
    data_updated: ({ timestamp, payload: { source, records } }) =>
      db.transaction(async (tx) => {
        const kept = await tx.get<Catalog>(`catalog/${source}`);
        const sentAt = Number(timestamp);
        if (kept && kept.sentAt > sentAt) return;
        await tx.set(`catalog/${source}`, { sentAt, records });
      }),
  });
  return {
    ...others,
    async webhooks(request: Request): Promise<Response> {
      const isUpdate = (await request.clone().text()).includes('"data_updated"');
      return isUpdate ? updates(request) : others.webhooks(request);
    },
  };
}
