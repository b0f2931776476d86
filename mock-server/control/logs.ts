import { attemptOf, deliveryOf } from '../api/serialize.ts';
import type { components } from '../contract.ts';
import type { Context } from '../domain/context.ts';
import { findUnknownOption } from '../domain/known-options.ts';
import { timestamp } from '../domain/periods.ts';
import type { Table } from '../domain/ports.ts';
import type { Delivery, LogEvent, RequestEntry } from '../domain/records.ts';
import { assertArgument } from './arguments.ts';
import { tenantFields } from './tenants.ts';

/** Selects rows of a log. An empty query returns all rows, oldest first. */
export interface LogQuery {
  /** Only rows after this id; for `order: 'asc'`. */
  readonly after?: string;
  /** Only rows before this id; for `order: 'desc'`. */
  readonly before?: string;
  /**
   * Newest or oldest first.
   * @default 'asc'
   */
  readonly order?: 'asc' | 'desc';
  /**
   * Most entries to return.
   * @default no limit
   */
  readonly limit?: number;
  /** Only rows of this organization. */
  readonly organization?: string;
}

const queryFields: Record<keyof LogQuery, true> = {
  ...tenantFields,
  after: true,
  before: true,
  order: true,
  limit: true,
  organization: true,
};

/** Rows hold times in ms; control shows them in RFC 3339. */
type WithTimestamp<Row> = Omit<Row, 'at'> & { readonly at: string };

/** A line of the event log. */
export type EventView = WithTimestamp<LogEvent>;
/** A line of the request log. */
export type RequestView = WithTimestamp<RequestEntry>;
type AttemptView = components['schemas']['DeliveryAttempt'] & {
  /** The signature headers as sent. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
};

/** A delivery as the public API returns it, plus what only the control API shows. */
export type DeliveryView = Omit<components['schemas']['Delivery'], 'attempts'> & {
  /** The attempts so far, oldest first. */
  readonly attempts: readonly AttemptView[];
  /** Identifier of the organization. */
  readonly organization: string;
  /** Identifier of the project. */
  readonly project: string;
  /** The JSON text as sent. */
  readonly body: string;
};

export function readEvents(context: Context, query?: LogQuery): EventView[] {
  return read(context.store.table('events'), query).map(eventView);
}

export function readRequests(context: Context, query?: LogQuery): RequestView[] {
  return read(context.store.table('requests'), query).map(requestView);
}

export function readDeliveries(context: Context, query?: LogQuery): DeliveryView[] {
  return read(context.store.table('deliveries'), query).map(deliveryView);
}

export const eventView: (row: LogEvent) => EventView = withTimestamp;
export const requestView: (row: RequestEntry) => RequestView = withTimestamp;

export function deliveryView(row: Delivery): DeliveryView {
  const attempts: AttemptView[] = row.attempts.map((attempt) => ({
    ...attemptOf(attempt),
    ...(attempt.requestHeaders && { requestHeaders: attempt.requestHeaders }),
  }));
  const { organization, project, body } = row;
  const view = { ...deliveryOf(row), organization, project, body, attempts };
  return JSON.parse(JSON.stringify(view)) as DeliveryView;
}

function withTimestamp<Row extends { readonly at: number }>(row: Row): WithTimestamp<Row> {
  return { ...row, at: timestamp(row.at) };
}

function read<Row extends { readonly id: string }>(table: Table<Row>, query: LogQuery = {}): Row[] {
  const unknown = findUnknownOption(query, queryFields, 'field');
  assertArgument(unknown === undefined, `Failed to read the log: ${unknown}`);
  const { after, before, order, organization, limit = Number.POSITIVE_INFINITY } = query;
  const page =
    organization === undefined ? { limit } : { limit, index: 'organization', key: organization };
  return order === 'desc'
    ? table.newest({ ...page, ...(before !== undefined && { before }) })
    : table.oldest({ ...page, ...(after !== undefined && { after }) });
}
