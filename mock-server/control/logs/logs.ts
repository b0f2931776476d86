import { apiKeyOf, attemptOf, deliveryOf, generationOf, webhookOf } from '../../api/serialize.ts';
import type { components } from '../../contract.ts';
import type { Context } from '../../domain/context.ts';
import { integerOrInfinity, type OptionRules, oneOf, text } from '../../domain/options.ts';
import { timestamp } from '../../domain/periods.ts';
import type { Table } from '../../domain/ports.ts';
import type { Delivery, Generation, LogEvent, RequestEntry } from '../../domain/records.ts';
import { assertArguments } from '../arguments.ts';
import { type InvoiceView, invoiceView } from '../billing.ts';
import { tenantRules } from '../tenants/tenants.ts';
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
   * The maximum number of entries to return.
   * @default no limit
   */
  readonly limit?: number;
}

const queryRules: OptionRules<LogQuery> = {
  ...tenantRules,
  ...filterRules,
  after: text,
  before: text,
  order: oneOf(['asc', 'desc']),
  limit: integerOrInfinity(0),
};

/** Rows hold times in ms; the control API shows them in RFC 3339. */
type WithTimestamp<Row> = Omit<Row, 'at'> & { readonly at: string };

/** A line of the event log. */
export type EventView = WithTimestamp<LogEvent>;
/** A line of the request log. */
export type RequestView = WithTimestamp<RequestEntry>;
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
    /** Absent if the server logs no bodies. */
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

/** Finds the rows of a list that match, and counts them. */
export function searchRows<Name extends keyof SearchRows>(
  context: Context,
  name: Name,
  query: LogQuery = {},
): Found<SearchRows[Name]> {
  assertArguments('Failed to read the log', query, queryRules, { unknown: 'unknown field' });
  return lists[name](context, query) as unknown as Found<SearchRows[Name]>;
}

type Search = (context: Context, query: LogQuery) => Found<unknown>;

const lists: Readonly<Record<keyof SearchRows, Search>> = {
  requests: ({ store, ports }, query) =>
    find(store.table('requests'), 'organization', requestSubject, query, ports, requestView),
  deliveries: ({ store, ports }, query) =>
    find(store.table('deliveries'), 'organization', deliverySubject, query, ports, deliveryView),
  events: ({ store, ports }, query) =>
    find(store.table('events'), 'organization', eventSubject, query, ports, eventView),
  generations: (context, query) =>
    find(
      context.store.table('generations'),
      'project',
      generationSubject,
      query,
      context.ports,
      (row) => generationView(context, row),
    ),
  webhooks: ({ store, ports }, query) =>
    find(store.table('webhooks'), 'project', webhookSubject, query, ports, (row) =>
      plain({ ...webhookOf(row), ...ownerOf(row) }),
    ),
  apiKeys: ({ store, ports }, query) =>
    find(store.table('apiKeys'), 'project', apiKeySubject, query, ports, (row) =>
      plain(apiKeyOf(row, ports.clock.now())),
    ),
  invoices: ({ store, ports }, query) =>
    find(store.table('invoices'), 'organization', invoiceSubject, query, ports, invoiceView),
};

export const eventView: (row: LogEvent) => EventView = withTimestamp;
export const requestView: (row: RequestEntry) => RequestView = withTimestamp;

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
  const shown = context.settings.logBodies ? { prompt } : {};
  const counts = { readers: context.live.followers(row.id), cuts, resumptions };
  const stream = Object.values(counts).some(Boolean) ? counts : undefined;
  const facts = { ...shown, delivery, apiRequestId, text, stream };
  const view = { ...generationOf(row), ...ownerOf(row), ...facts };
  return plain(view) as GenerationView;
}

const ownerOf = ({ organization, project }: Owner): Owner => ({ organization, project });

/** Drops undefined fields, and copies so that callers cannot change what the store holds. */
const plain = (view: object): unknown => JSON.parse(JSON.stringify(view));

function withTimestamp<Row extends { readonly at: number }>(row: Row): WithTimestamp<Row> {
  return { ...row, at: timestamp(row.at) };
}

const EVERY_ROW = { limit: Number.POSITIVE_INFINITY };

/** If the owner is the only condition, an index finds and counts the rows; otherwise every row is checked. */
function find<Row extends Owned>(
  table: Table<Row>,
  by: 'organization' | 'project',
  subject: Subject<Row>,
  query: LogQuery,
  { clock }: Context['ports'],
  view: (row: Row) => unknown,
): Found<unknown> {
  const key = query.anonymous ? undefined : query[by];
  const index = key === undefined ? undefined : { index: by, key };
  // The index applies to all rows of its owner, not to those that are looked up by their ids.
  const rest = index && !query.ids ? { ...query, [by]: undefined } : query;
  const matches = matcher(subject, rest, clock.now());
  if (!matches) return { data: readPage(table, query, index).map(view), total: table.count(index) };
  const rows = query.ids
    ? query.ids.flatMap((id) => table.get(id) ?? [])
    : table.oldest({ ...EVERY_ROW, ...index });
  const found = rows.filter(matches);
  return { data: cutPage(found, query).map(view), total: found.length };
}

function readPage<Row extends Owned>(
  table: Table<Row>,
  { after, before, order, limit = Number.POSITIVE_INFINITY }: LogQuery,
  index: { readonly index: string; readonly key: string } | undefined,
): Row[] {
  return order === 'desc'
    ? table.newest({ ...index, limit, ...(before !== undefined && { before }) })
    : table.oldest({ ...index, limit, ...(after !== undefined && { after }) });
}

/** The page that `readPage` would return, cut from rows already found. */
function cutPage<Row extends Owned>(found: Row[], query: LogQuery): Row[] {
  const { after, before, order, limit = Number.POSITIVE_INFINITY } = query;
  const rows = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (order !== 'desc') {
    return rows.filter(({ id }) => after === undefined || id > after).slice(0, limit);
  }
  const older = before === undefined ? rows : rows.filter(({ id }) => id < before);
  return older.reverse().slice(0, limit);
}
