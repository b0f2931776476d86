import { type RedactedRequest, redactRequest } from '../../api/request-log.ts';
import { apiKeyOf, attemptOf, deliveryOf, generationOf, webhookOf } from '../../api/serialize.ts';
import type { components } from '../../contract.ts';
import { statusOf } from '../../domain/api-keys.ts';
import type { Context } from '../../domain/context.ts';
import { redactEvent } from '../../domain/event-log.ts';
import { integerOrInfinity, type OptionRules, text } from '../../domain/options.ts';
import { timestamp } from '../../domain/periods.ts';
import type { Table } from '../../domain/ports.ts';
import type { Delivery, Generation, LogEvent, RequestEntry } from '../../domain/records.ts';
import { assertArgument, assertArguments } from '../arguments.ts';
import { type InvoiceView, invoiceView } from '../billing.ts';
import {
  filterRules,
  isDeliveryStatus,
  isProblem,
  type LogFilter,
  matcher,
  type Row,
  type StatusTest,
} from './filter.ts';

/** Selects rows of a log. An empty query returns all rows, oldest first. */
export interface LogQuery extends LogFilter {
  /** How many rows to return at most, 0 or more: the oldest ones that match. @default no limit */
  readonly limit?: number;
}

/** Selects the newest rows of a list. */
export interface ListQuery extends LogQuery {
  readonly id?: string;
}

const queryRules: OptionRules<LogQuery> = {
  ...filterRules,
  limit: integerOrInfinity(0),
};

const listRules: OptionRules<ListQuery> = { ...queryRules, id: text };

/** Rows hold times in ms; the control API shows them in RFC 3339. */
type WithTimestamp<Row> = Omit<Row, 'at'> & { readonly at: string };

/** A line of the event log. */
export type EventView = WithTimestamp<LogEvent>;
/** A line of the request log. */
export type RequestView = WithTimestamp<RedactedRequest>;
type AttemptView = components['schemas']['DeliveryAttempt'] & {
  /** The signature headers as sent. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
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
    /** What it has so far, only while it is processing. */
    readonly text?: string;
    readonly delivery: Generation['delivery'];
    /** The `X-Request-Id` of the call that started it. */
    readonly apiRequestId?: string;
    /** How many are reading its stream now; absent if nobody is. */
    readonly readers?: number;
  };

export type WebhookView = components['schemas']['Webhook'] & Owner;
export type ApiKeyView = components['schemas']['ApiKey'];

export interface SearchRows {
  readonly requests: RequestView;
  readonly deliveries: DeliveryView;
  readonly events: EventView;
  readonly generations: GenerationView;
  readonly webhooks: WebhookView;
  readonly apiKeys: ApiKeyView;
  readonly invoices: InvoiceView;
}

export interface Found<Row> {
  readonly data: Row[];
  readonly total: number;
}

const words = { unknown: 'unknown field' };
const NEWEST_ROWS = 100;

/** Returns the rows of a log that match, oldest first. */
export function readLog<Name extends 'requests' | 'deliveries' | 'events'>(
  context: Context,
  name: Name,
  query: LogQuery = {},
): SearchRows[Name][] {
  assertArguments('Failed to read the log', query, queryRules, words);
  const found = matching(context, kinds[name], query).slice(0, query.limit);
  return found.map((row) => kinds[name].view(row, context) as SearchRows[Name]);
}

/** Finds the newest rows of a list that match, and counts them all. */
export function searchRows<Name extends keyof SearchRows>(
  context: Context,
  name: Name,
  query: ListQuery = {},
): Found<SearchRows[Name]> {
  const known = Object.hasOwn(kinds, name);
  assertArgument(known, `There is no list ${name}. Pass one of ${Object.keys(kinds).join(', ')}.`);
  assertArguments('Failed to read the list', query, listRules, words);
  const kind = kinds[name];
  const { limit = NEWEST_ROWS, ...conditions } = query;
  const rows = kind.rows(context);
  const found = Object.values(conditions).some(Boolean)
    ? matching(context, kind, conditions)
    : undefined;
  const newest = found?.reverse().slice(0, limit) ?? rows.newest({ limit });
  return {
    data: newest.map((row) => kind.view(row, context) as SearchRows[Name]),
    total: found?.length ?? rows.count(),
  };
}

type Rows<Kind extends Row> = Pick<Table<Kind>, 'get' | 'oldest' | 'newest' | 'count'>;

/** A kind of rows: where they are, and what a caller sees of one. */
interface Kind<Stored extends Row> {
  readonly rows: (context: Context) => Rows<Stored>;
  /** Whether an index finds the rows of an organization. */
  readonly indexed?: true;
  readonly isStatus: StatusTest<Stored>;
  readonly view: (row: Stored, context: Context) => unknown;
  /** What a search looks at, if it is more than the view. */
  readonly searched?: (row: Stored) => unknown;
}

const hasStatus = ({ status }: { readonly status: string }, wanted: string) => status === wanted;

const kind = <Stored extends Row>(of: Kind<Stored>) => of as unknown as Kind<Row>;

const kinds: Readonly<Record<keyof SearchRows, Kind<Row>>> = {
  requests: kind({
    rows: ({ logs }) => logs.requests,
    isStatus(row, wanted) {
      if (wanted === 'problem') return isProblem(row);
      const status = String(row.status);
      return wanted.endsWith('xx') ? status[0] === wanted[0] : status === wanted;
    },
    view: requestView,
  }),
  deliveries: kind({
    rows: ({ store }) => store.table('deliveries'),
    indexed: true,
    isStatus: isDeliveryStatus,
    view: deliveryView,
  }),
  events: kind({
    rows: ({ logs }) => logs.events,
    isStatus: ({ type }, wanted) =>
      type === wanted || (wanted.endsWith('.') && type.startsWith(wanted)),
    view: eventView,
  }),
  generations: kind({
    rows: ({ store }) => store.table('generations'),
    isStatus: hasStatus,
    view: generationView,
  }),
  webhooks: kind({
    rows: ({ store }) => store.table('webhooks'),
    isStatus: (row, wanted) =>
      wanted === 'failing' ? row.failingSince !== undefined : hasStatus(row, wanted),
    view: (row) => plain({ ...webhookOf(row), ...ownerOf(row) }),
  }),
  apiKeys: kind({
    rows: ({ store }) => store.table('apiKeys'),
    isStatus: (row, wanted, now) => statusOf(row, now) === wanted,
    view: (row, { ports }) => plain(apiKeyOf(row, ports.clock.now())),
  }),
  invoices: kind({
    rows: ({ store }) => store.table('invoices'),
    indexed: true,
    isStatus: hasStatus,
    view: invoiceView,
    // As a person reads and types it.
    searched: (row) => [invoiceView(row), (row.amountDue / 100).toFixed(2)],
  }),
};

function matching(context: Context, kind: Kind<Row>, query: ListQuery): Row[] {
  const { id, organization } = query;
  const rows = kind.rows(context);
  const isOwned = kind.indexed && organization;
  const owned = isOwned ? { index: 'organization', key: organization } : {};
  const candidates = id === undefined ? rows.oldest(owned) : [rows.get(id)].filter((row) => !!row);
  const searched = (row: Row) => kind.searched?.(row) ?? kind.view(row, context);
  return candidates.filter(matcher(kind.isStatus, searched, query, context.ports.clock.now()));
}

export function eventView(row: LogEvent): EventView {
  return withTimestamp(redactEvent(row));
}

export function requestView(row: RequestEntry): RequestView {
  return withTimestamp(redactRequest(row));
}

export function deliveryView(row: Delivery): DeliveryView {
  const attempts = row.attempts.map((attempt) => {
    const { requestHeaders, copies } = attempt;
    return { ...attemptOf(attempt), requestHeaders, copies };
  });
  const { body, attemptsBefore } = row;
  const view = { ...deliveryOf(row), ...ownerOf(row), body, attempts, attemptsBefore };
  return plain(view) as DeliveryView;
}

function generationView(row: Generation, context: Context): GenerationView {
  const { prompt, delivery, apiRequestId, status } = row;
  const text = status === 'processing' ? context.live.text(row.id) : undefined;
  const readers = context.live.followers(row.id) || undefined;
  const facts = { prompt, delivery, apiRequestId, text, readers };
  const view = { ...generationOf(row), ...ownerOf(row), ...facts };
  return plain(view) as GenerationView;
}

const ownerOf = ({ organization, project }: Owner): Owner => ({ organization, project });

/** Drops undefined fields, and copies so that callers cannot change what the store holds. */
const plain = (view: object): unknown => JSON.parse(JSON.stringify(view));

function withTimestamp<Line extends { readonly at: number }>(row: Line): WithTimestamp<Line> {
  return plain({ ...row, at: timestamp(row.at) }) as WithTimestamp<Line>;
}
