import { connectPage } from '../../control-api/client/connect.ts';
import { connectMock } from '../../control-api/client/connect-mock.ts';
import type { DeliveryView, EventView, LogFilter, RequestView, SearchRows } from '../../index.ts';
import type { Page } from '../logic/merge.ts';

/** What served this page. */
export const home = location.origin;

/**
 * The server that this page shows: the one that served it, or the mock of the page that embeds this one in an
 * `<iframe>` (`?server=https://api.contentgen.test`).
 */
export const origin = new URLSearchParams(location.search).get('server') ?? home;

export const control = connectMock(origin);

export type LogEvent = EventView;
export type RequestEntry = RequestView;

/** A delivery as the control API returns it, with the body and headers that were sent. */
export type SentDelivery = DeliveryView;

export type ListName = keyof SearchRows;

/** A page of a list, newest first. */
export async function readPage<Name extends ListName>(
  name: Name,
  query: LogFilter & { readonly before?: string | undefined; readonly limit: number },
): Promise<Page<SearchRows[Name]>> {
  const { before, ...rest } = query;
  const { data, total } = await control.search(name, {
    ...rest,
    order: 'desc',
    ...(before !== undefined && { before }),
  });
  return { data, total, complete: data.length < query.limit };
}

export async function readDelivery(id: string): Promise<SentDelivery> {
  const delivery = await control.delivery(id);
  if (!delivery) throw new Error('This server has no such delivery.');
  return delivery;
}

/** A server that hangs is as good as gone after this long. */
const CLOCK_MS = 5000;

export async function readClock(): Promise<{ now: string; mode: 'real' | 'manual' }> {
  const hung = new AbortController();
  const timer = setTimeout(() => hung.abort(), CLOCK_MS);
  const send: typeof fetch = (url, init) => fetch(url, { ...init, signal: hung.signal });
  try {
    const { now, clock } = await connectPage(origin, { fetch: send }).page.server();
    return { now, mode: clock };
  } finally {
    clearTimeout(timer);
  }
}
