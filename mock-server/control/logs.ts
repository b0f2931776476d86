import { deliveryOf } from '../api/serialize.ts';
import type { components } from '../contract.ts';
import type { Context } from '../domain/context.ts';
import { timestamp } from '../domain/periods.ts';
import type { Table } from '../domain/ports.ts';
import type { Delivery, LogEvent, RequestEntry } from '../domain/records.ts';

/** Which rows of a log; without it all, oldest first. */
export interface LogQuery {
  /** Id; rows after it alone. */
  readonly after?: string;
  /** Id; rows before it alone, with `order: 'desc'`. */
  readonly before?: string;
  /** @default 'asc' */
  readonly order?: 'asc' | 'desc';
  readonly limit?: number;
  readonly organization?: string;
}

type Shown<Row> = Omit<Row, 'at'> & { readonly at: string };

/** What happened, as control shows it: times in RFC 3339. */
export type EventView = Shown<LogEvent>;
/** What was asked, as control shows it. */
export type RequestView = Shown<RequestEntry>;
type AttemptView = components['schemas']['DeliveryAttempt'] & {
  /** The signature's headers as they were sent. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A delivery as the API shows it, and what only control may see of it. */
export type DeliveryView = Omit<components['schemas']['Delivery'], 'attempts'> & {
  readonly attempts: readonly AttemptView[];
  readonly organization: string;
  readonly project: string;
  /** As sent. */
  readonly body: string;
};

function read<Row extends { readonly id: string }>(table: Table<Row>, query: LogQuery): Row[] {
  const { after, before, order, organization, limit = Number.POSITIVE_INFINITY } = query;
  const where =
    organization === undefined ? { limit } : { limit, index: 'organization', key: organization };
  return order === 'desc'
    ? table.newest({ ...where, ...(before !== undefined && { before }) })
    : table.oldest({ ...where, ...(after !== undefined && { after }) });
}

const shown = <Row extends { readonly at: number }>(row: Row): Shown<Row> => ({
  ...row,
  at: timestamp(row.at),
});

export const eventView: (row: LogEvent) => EventView = shown;
export const requestView: (row: RequestEntry) => RequestView = shown;

export function deliveryView(row: Delivery): DeliveryView {
  const attempts = row.attempts.map((attempt) => ({ ...attempt, at: timestamp(attempt.at) }));
  const { organization, project, body } = row;
  const view = { ...deliveryOf(row), organization, project, body, attempts };
  return JSON.parse(JSON.stringify(view)) as DeliveryView;
}

export const readEvents = (context: Context, query: LogQuery = {}): EventView[] =>
  read(context.store.table('events'), query).map(eventView);

export const readRequests = (context: Context, query: LogQuery = {}): RequestView[] =>
  read(context.store.table('requests'), query).map(requestView);

export const readDeliveries = (context: Context, query: LogQuery = {}): DeliveryView[] =>
  read(context.store.table('deliveries'), query).map(deliveryView);
