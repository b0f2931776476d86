import type { InstanceContext } from 'contentgen/simulate';
import { openShop } from '../shop.ts';

const leaseMs = 10_000;
const renderingMs = 25_000;

interface Lease {
  readonly until: number;
  readonly done?: boolean;
}

/** Bug: the lease ends before the work does, and nothing renews it. */
export function shortLease(context: InstanceContext) {
  const { clock } = context;
  const { db, order, send, verify } = openShop(context);

  /** The status to respond with, or undefined when the work is ours. */
  const claim = (key: string): Promise<number | undefined> =>
    db.transaction(async (tx) => {
      const lease = await tx.get<Lease>(key);
      if (lease?.done) return 200;
      if (lease && lease.until > clock.now()) return 503;
      await tx.set(key, { until: clock.now() + leaseMs });
      return undefined;
    });

  return {
    order,
    async webhooks(request: Request): Promise<Response> {
      const event = await verify(request);
      if (event.type !== 'generation_completed') return new Response();
      const status = await claim(`lease/${event.id}`);
      if (status !== undefined) return new Response(null, { status });
      await clock.sleep(renderingMs);
      await db.transaction(async (tx) => {
        await tx.set(`lease/${event.id}`, { until: 0, done: true });
        await send(tx, event.payload);
      });
      return new Response();
    },
  };
}
