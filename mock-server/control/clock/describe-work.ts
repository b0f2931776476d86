import type { Context } from '../../domain/context.ts';
import type { Work } from '../../domain/job-runner.ts';

const SHOWN = 5;

/** Says which work a step stopped waiting for, and what to do. */
export function stillWaiting(context: Context, work: readonly Work[], patience: number): string {
  const names = work.slice(0, SHOWN).map((one) => describeWork(context, one));
  const more = work.length > SHOWN ? ` and ${work.length - SHOWN} more` : '';
  return (
    `The mock server's clock stopped waiting for ${names.join(', ')}${more} after ${patience} ms of real time and moved on. ` +
    'A receiver that never responds times out after 15 s on the clock; for a slow one, raise the patience option.'
  );
}

/**
 * Describes work in progress, for example `delivery dlv_… (data_updated) to https://app.example/hooks`. It never
 * includes a query or a body.
 */
function describeWork({ store }: Context, { kind, ref }: Work): string {
  if (kind !== 'delivery.attempt') return `generation ${ref}`;
  const delivery = store.table('deliveries').get(ref);
  if (!delivery) return `delivery ${ref}`;
  const { origin, pathname } = new URL(delivery.url);
  return `delivery ${ref} (${delivery.event}) to ${origin}${pathname}`;
}
