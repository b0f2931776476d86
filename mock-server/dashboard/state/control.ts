import { connectMock } from '../../control-api/client.ts';
import type { DeliveryView, EventView, LogQuery, RequestView } from '../../index.ts';
import type { Page } from '../logic/merge.ts';
import type { Problem } from './types.ts';

/**
 * The server that this page shows: the one that served it, or the mock of a page that holds this one in an
 * `<iframe>` (`?server=https://api.contentgen.test`).
 */
export const origin = new URLSearchParams(location.search).get('server') ?? location.origin;

export const control = connectMock(origin);

export type LogEvent = EventView;

/** A request as the control plane shows it, with the problem document that was answered. */
export type RequestEntry = RequestView & { readonly problem?: Problem };

/** A delivery as the control plane shows it: with the bytes and the headers that were sent. */
export type SentDelivery = Omit<DeliveryView, 'attempts'> & {
  readonly attempts: readonly (DeliveryView['attempts'][number] & {
    readonly headers?: Readonly<Record<string, string>>;
  })[];
};

interface Rows {
  readonly requests: RequestEntry;
  readonly deliveries: SentDelivery;
  readonly events: LogEvent;
}

/** One row more than a page tells whether another page follows; together one call. */
const pageSize = 999;

/** A page of a log, newest first: the newest rows of a long log need no walk. */
export async function readLog<Name extends keyof Rows>(
  name: Name,
  query: Pick<LogQuery, 'organization'> & { readonly before?: string | undefined },
): Promise<Page<Rows[Name]>> {
  const { before, organization } = query;
  const rows = (await control[name]({
    order: 'desc',
    limit: pageSize + 1,
    ...(before !== undefined && { before }),
    ...(organization !== undefined && { organization }),
  })) as unknown as Rows[Name][];
  const data = rows.slice(0, pageSize);
  return { data, nextCursor: rows.length > pageSize ? (data.at(-1)?.id ?? null) : null };
}

export async function readDelivery(id: string): Promise<SentDelivery> {
  const delivery = await control.delivery(id);
  if (!delivery) throw new Error('There is no such delivery on this server.');
  return delivery;
}

export async function readClock(): Promise<{ now: string; mode: 'real' | 'manual' }> {
  const response = await fetch(`${origin}/_control/clock`);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return response.json();
}
