import type { SearchRows } from '../control/logs/logs.ts';
import { flag, type OptionRule, oneOf, text } from '../domain/options.ts';
import type { ControlCall, ControlHandler, ControlResult } from './input.ts';
import { anyText, fields, texts } from './input.ts';
import { invalid, notFound } from './problem.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

/** The conditions of a search, as query parameters or as fields of a body. An empty text is no condition. */
const conditions: Readonly<Record<string, OptionRule>> = {
  organization: text,
  project: text,
  status: anyText,
  event: anyText,
  code: anyText,
  url: anyText,
  since: text,
  until: text,
  text: anyText,
  webhook: anyText,
  exceptActor: anyText,
};

interface PageQuery {
  readonly limit: number;
  readonly order?: 'asc' | 'desc';
  readonly anonymous?: boolean;
  readonly ids?: readonly string[];
}

function pageQuery(query: URLSearchParams): PageQuery {
  const limit = readInteger('limit', query.get('limit') ?? String(DEFAULT_LIMIT), MAX_LIMIT);
  const { ids, anonymous, ...rest } = Object.fromEntries(query);
  const optional: Record<string, OptionRule> = {
    ...conditions,
    limit: () => undefined,
    order: oneOf(['asc', 'desc']),
    after: text,
    before: text,
  };
  fields(rest, {}, optional);
  fields({ anonymous: anonymous ?? 'false' }, { anonymous: oneOf(['true', 'false']) });
  return {
    ...rest,
    ...(ids !== undefined && { ids: ids.split(',') }),
    ...(anonymous === 'true' && { anonymous: true }),
    limit,
  };
}

function readInteger(name: string, value: string, maximum: number): number {
  if (/^[1-9]\d{0,3}$/.test(value) && Number(value) <= maximum) return Number(value);
  throw invalid(`The parameter ${name} must be an integer from 1 to ${maximum}.`);
}

const ok = (body: unknown): ControlResult => ({ status: 200, body });

/** A page of a list, with the number of rows on all pages. */
const page =
  (name: keyof SearchRows): ControlHandler =>
  ({ mock, query }: ControlCall) => {
    const { limit, ...rest } = pageQuery(query);
    const { data: rows, total } = mock.search(name, { ...rest, limit: limit + 1 });
    const data = rows.slice(0, limit);
    const nextCursor = rows.length > data.length ? idOf(data.at(-1)) : null;
    return ok({ data, nextCursor, total });
  };

function idOf(row: SearchRows[keyof SearchRows] | undefined): string | null {
  if (!row) return null;
  return 'id' in row ? row.id : row.requestId;
}

/** What the server did, by `METHOD /path` under `/_control`. */
export const logRoutes: Readonly<Record<string, ControlHandler>> = {
  'GET /requests': page('requests'),
  'GET /events': page('events'),
  'GET /generations': page('generations'),
  'GET /webhooks': page('webhooks'),
  'GET /api-keys': page('apiKeys'),
  'GET /invoices': page('invoices'),
  'GET /deliveries': page('deliveries'),
  'GET /deliveries/:id': ({ mock, id }) => {
    const delivery = mock.delivery(id);
    if (!delivery) throw notFound();
    return ok(delivery);
  },
  'POST /deliveries/:id/resend': ({ mock, id, body }) => {
    const edited = fields<{ body?: string; keepMessageId?: boolean }>(
      body,
      {},
      { body: anyText, keepMessageId: flag },
    );
    return { status: 202, body: mock.resend(id, edited) };
  },
  'POST /deliveries/redeliver': ({ mock, body }) => {
    const filter = fields<object>(body, {}, { ...conditions, ids: texts, anonymous: flag });
    return { status: 202, body: { count: mock.redeliver(filter) } };
  },
  'GET /activity': ({ mock, query }) => {
    const { minutes = '30', ...rest } = Object.fromEntries(query);
    fields(rest, {}, { organization: text, exceptActor: text });
    return ok(mock.activity({ ...rest, minutes: readInteger('minutes', minutes, 240) }));
  },
  'GET /coverage': ({ mock, query }) => {
    const filter = Object.fromEntries(query);
    fields(filter, {}, { organization: text });
    return ok(mock.coverage(filter));
  },
  'GET /access': ({ mock }) => ok(mock.access()),
  // On a server with a control token, the gate responds before this route is reached.
  'GET /session': () => ok({ opens: null }),
};
