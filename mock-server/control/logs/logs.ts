import { type RedactedRequest, redactRequest } from '../../api/request-log.ts';
import { apiKeyOf, attemptOf, deliveryOf, generationOf, webhookOf } from '../../api/serialize.ts';
import type { components } from '../../contract.ts';
import type { Context } from '../../domain/context.ts';
import { redactEvent } from '../../domain/event-log.ts';
import { integerOrInfinity, type OptionRules, oneOf, text } from '../../domain/options.ts';
import { timestamp } from '../../domain/periods.ts';
import type { Table } from '../../domain/ports.ts';
import type { Delivery, Generation, LogEvent, RequestEntry } from '../../domain/records.ts';
import { assertArguments } from '../arguments.ts';
import { type InvoiceView, invoiceView } from '../billing.ts';
import { organizationRules } from '../organizations/organizations.ts';
import {
  apiKeySubject,
  deliverySubject,
  eventSubject,
  filterRules,
  generationSubject,
  invoiceSubject,
  type LogFilter,
  matcher,
  type Owned,
  requestSubject,
  type Subject,
  webhookSubject,
} from './filter.ts';

/** Selects rows of a log. An empty query returns all rows, oldest first. */
export interface LogQuery extends LogFilter {
  /**
   * How many rows to return at most, 0 or more: the oldest ones that match.
   * @default no limit
   */
  readonly limit?: number;
}

/** Also a page of the newest rows, as the dashboard reads them. */
export interface RowQuery extends LogQuery {
  /** Only the row with this id. */
  readonly id?: string;
  /** Newest or oldest first. */
  readonly order?: 'asc' | 'desc';
  /** Only rows after this id; for `order: 'asc'`. */
  readonly after?: string;
  /** Only rows before this id; for `order: 'desc'`. */
  readonly before?: string;
}

/** An organization can be passed as a query. */
const queryRules: OptionRules<LogQuery> = {
  ...organizationRules,
  ...filterRules,
  limit: integerOrInfinity(0),
};

const pageRules: OptionRules<RowQuery> = {
  ...queryRules,
  id: text,
  order: oneOf(['asc', 'desc']),
  after: text,
  before: text,
};

/** Rows hold times in ms; the control API shows them in RFC 3339. */
type WithTimestamp<Row> = Omit<Row, 'at'> & { readonly at: string };

/** A line of the event log. */
export type EventView = WithTimestamp<LogEvent>;
/** A line of the request log. */
export type RequestView = WithTimestamp<RedactedRequest>;
type AttemptView = components['schemas']['DeliveryAttempt'] & {
  /** The signature headers as sent. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** The header that carried the registration's token, if it has one. */
  readonly tokenHeader?: string;
  /** What became of the further copies that a fault sent. */
  readonly copies?: readonly Pick<components['schemas']['DeliveryAttempt'], 'status' | 'error'>[];
};

interface Owner {
  /** Identifier of the organization. */
  readonly organization: string;
  /** Identifier of the project. */
  readonly project: string;
}

/** A delivery as the public API returns it, plus what only the control API shows. */
export type DeliveryView = Omit<components['schemas']['Delivery'], 'attempts'> &
  Owner & {
    /** The attempts so far, oldest first. */
    readonly attempts: readonly AttemptView[];
    /** The JSON text as sent. */
    readonly body: string;
    /** Attempts made before the last redelivery. */
    readonly attemptsBefore?: number;
  };

/** A generation as the public API returns it, plus what only the control API shows. */
export type GenerationView = components['schemas']['Generation'] &
  Owner & {
    /** Only while it is processing; absent if the server logs no bodies. */
    readonly prompt?: string;
    /** The text so far, while the generation is processing. */
    readonly text?: string;
    /** How the result is returned. */
    readonly delivery: 'response' | 'stream' | 'callback';
    /** The `X-Request-Id` of the call that started it. */
    readonly apiRequestId?: string;
    /** The readers of its text; absent if none is reading, was cut or resumed. */
    readonly stream?: {
      /** How many follow it now. */
      readonly readers: number;
      /** How many connections ended before the generation did. */
      readonly cuts: number;
      /** How many went on after a `Last-Event-ID`. */
      readonly resumptions: number;
    };
  };

/** A registration as the public API returns it, plus its owner. */
export type WebhookView = components['schemas']['Webhook'] & Owner;
/** An API key as the public API returns it. */
export type ApiKeyView = components['schemas']['ApiKey'];

/** What `search` finds, by the name of the list. */
export interface SearchRows {
  /** The request log. */
  readonly requests: RequestView;
  /** Deliveries to registrations, and of result callbacks. */
  readonly deliveries: DeliveryView;
  /** The event log. */
  readonly events: EventView;
  /** Generations of every caller. */
  readonly generations: GenerationView;
  /** Registrations. */
  readonly webhooks: WebhookView;
  /** API keys, without the keys themselves. */
  readonly apiKeys: ApiKeyView;
  /** Invoices. */
  readonly invoices: InvoiceView;
}

/** A page of what matches. */
export interface Found<Row> {
  /** The rows of this page. */
  readonly data: Row[];
  /** How many rows match, on all pages. */
  readonly total: number;
}

/** Returns the rows of a log that match. */
export function readLog<Name extends 'requests' | 'deliveries' | 'events'>(
  context: Context,
  name: Name,
  query: LogQuery = {},
): SearchRows[Name][] {
  assertArguments(FAILED, query, queryRules, { unknown: 'unknown field' });
  return searchRows(context, name, query).data;
}

const FAILED = 'Failed to read the log';

/** Finds the rows of a list that match, and counts them. */
export function searchRows<Name extends keyof SearchRows>(
  context: Context,
  name: Name,
  query: RowQuery,
): Found<SearchRows[Name]> {
  assertArguments(FAILED, query, pageRules, { unknown: 'unknown field' });
  return lists[name](context, query) as unknown as Found<SearchRows[Name]>;
}

type Search = (context: Context, query: RowQuery) => Found<unknown>;

const lists: Readonly<Record<keyof SearchRows, Search>> = {
  requests: (context, query) =>
    find(context, context.logs.requests, requestSubject, query, requestView),
  deliveries: (context, query) =>
    find(context, context.store.table('deliveries'), deliverySubject, query, deliveryView, true),
  events: (context, query) => find(context, context.logs.events, eventSubject, query, eventView),
  generations: (context, query) =>
    find(context, context.store.table('generations'), generationSubject, query, (row) =>
      generationView(context, row),
    ),
  webhooks: (context, query) =>
    find(context, context.store.table('webhooks'), webhookSubject, query, (row) =>
      plain({ ...webhookOf(row), ...ownerOf(row) }),
    ),
  apiKeys: (context, query) =>
    find(context, context.store.table('apiKeys'), apiKeySubject, query, (row) =>
      plain(apiKeyOf(row, context.ports.clock.now())),
    ),
  invoices: (context, query) =>
    find(context, context.store.table('invoices'), invoiceSubject, query, invoiceView, true),
};

export const eventView = (row: LogEvent): EventView => withTimestamp(redactEvent(row));
export const requestView = (row: RequestEntry): RequestView => withTimestamp(redactRequest(row));

export function deliveryView(row: Delivery): DeliveryView {
  const attempts: AttemptView[] = row.attempts.map((attempt) => ({
    ...attemptOf(attempt),
    ...(attempt.requestHeaders && { requestHeaders: attempt.requestHeaders }),
    ...(attempt.tokenHeader !== undefined && { tokenHeader: attempt.tokenHeader }),
    ...(attempt.copies && { copies: attempt.copies }),
  }));
  const { body, attemptsBefore } = row;
  const view = { ...deliveryOf(row), ...ownerOf(row), body, attempts, attemptsBefore };
  return plain(view) as DeliveryView;
}

function generationView(context: Context, row: Generation): GenerationView {
  const { prompt, delivery, apiRequestId, status, cuts = 0, resumptions = 0 } = row;
  const text = status === 'processing' ? context.live.text(row.id) : undefined;
  const counts = { readers: context.live.followers(row.id), cuts, resumptions };
  const stream = Object.values(counts).some(Boolean) ? counts : undefined;
  const facts = { prompt, delivery, apiRequestId, text, stream };
  const view = { ...generationOf(row), ...ownerOf(row), ...facts };
  return plain(view) as GenerationView;
}

const ownerOf = ({ organization, project }: Owner): Owner => ({ organization, project });

/** Drops undefined fields, and copies so that callers cannot change what the store holds. */
const plain = (view: object): unknown => JSON.parse(JSON.stringify(view));

function withTimestamp<Row extends { readonly at: number }>(row: Row): WithTimestamp<Row> {
  return plain({ ...row, at: timestamp(row.at) }) as WithTimestamp<Row>;
}

/** A table or a log. */
type Rows<Row extends Owned> = Pick<Table<Row>, 'get' | 'oldest' | 'newest' | 'count'>;

const EVERY_ROW = { limit: Number.POSITIVE_INFINITY };

/**
 * If the organization is the only condition and `indexed`, an index finds and counts the rows; otherwise every row is
 * checked.
 */
function find<Row extends Owned>(
  { ports }: Context,
  table: Rows<Row>,
  subject: Subject<Row>,
  query: RowQuery,
  view: (row: Row) => unknown,
  indexed = false,
): Found<unknown> {
  const { id, organization, ...others } = query;
  const byOwner = indexed && organization !== undefined && id === undefined;
  const index = byOwner ? { index: 'organization', key: organization } : undefined;
  const matches = matcher(subject, byOwner ? others : query, ports.clock.now());
  if (!matches && id === undefined) {
    return { data: readPage(table, query, index).map(view), total: table.count(index) };
  }
  const row = id === undefined ? undefined : table.get(id);
  const rows = id === undefined ? table.oldest({ ...EVERY_ROW, ...index }) : row ? [row] : [];
  const found = matches ? rows.filter(matches) : rows;
  return { data: cutPage(found, query).map(view), total: found.length };
}

function readPage<Row extends Owned>(
  table: Rows<Row>,
  { after, before, order, limit = Number.POSITIVE_INFINITY }: RowQuery,
  index: { readonly index: string; readonly key: string } | undefined,
): Row[] {
  return order === 'desc'
    ? table.newest({ ...index, limit, ...(before !== undefined && { before }) })
    : table.oldest({ ...index, limit, ...(after !== undefined && { after }) });
}

/** The page that `readPage` would return, cut from rows already found. */
function cutPage<Row extends Owned>(found: Row[], query: RowQuery): Row[] {
  const { after, before, order, limit = Number.POSITIVE_INFINITY } = query;
  const rows = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (order !== 'desc') {
    return rows.filter(({ id }) => after === undefined || id > after).slice(0, limit);
  }
  const older = before === undefined ? rows : rows.filter(({ id }) => id < before);
  return older.reverse().slice(0, limit);
}
