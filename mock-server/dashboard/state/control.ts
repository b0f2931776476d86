import type { Problem } from '../../../src/index.ts';
import { connectMock } from '../../control-api/client.ts';
import type { DeliveryView, EventView, LogQuery, RequestView } from '../../index.ts';
import type { Page } from '../logic/merge.ts';

/** The universe under whose address this page was served, such as `/u/0123456789abcdef`. */
const universe = /^\/u\/[^/]+/.exec(location.pathname)?.[0] ?? '';

/** What served this page. */
export const home = location.origin + universe;

/**
 * The server that this page shows: the one that served it, or the mock of the page that embeds this one in an
 * `<iframe>` (`?server=https://api.contentgen.test`).
 */
export const origin = new URLSearchParams(location.search).get('server') ?? home;

export const control = connectMock(origin);

export type LogEvent = EventView;

/** A request as the control API returns it, with the problem document of the response. */
export type RequestEntry = RequestView & { readonly problem?: Problem };

/** A delivery as the control API returns it, with the body and headers that were sent. */
export type SentDelivery = DeliveryView;

interface Rows {
  readonly requests: RequestEntry;
  readonly deliveries: SentDelivery;
  readonly events: LogEvent;
}

/** Reading one row more shows whether another page follows; 1 000 is the most that one call returns. */
const pageSize = 999;

/** A page of a log, newest first. */
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
  if (!delivery) throw new Error('This server has no such delivery.');
  return delivery;
}

export async function readClock(): Promise<{ now: string; mode: 'real' | 'manual' }> {
  const response = await fetch(`${origin}/_control/clock`);
  if (!response.ok)
    throw new Error(`Failed to read the clock: the server responded with ${response.status}.`);
  return response.json();
}
