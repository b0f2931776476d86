import type { Duration } from '../control/arguments.ts';
import { isObject } from '../domain/is-object.ts';
import type { MockServer } from '../mock-server.ts';
import {
  type Check,
  duration,
  fields,
  integer,
  lifetime,
  object,
  oneOf,
  share,
  text,
} from './input.ts';
import { invalid, notFound } from './problem.ts';
import type { Universes } from './universes.ts';

/** A request to the control API, already parsed. */
export interface ControlCall {
  readonly mock: MockServer;
  /** Absent where the mock does not listen on a socket. */
  readonly universes?: Universes | undefined;
  readonly id: string;
  readonly query: URLSearchParams;
  /** The parsed body; `{}` without one. */
  readonly body: unknown;
}

export interface ControlResult {
  readonly status: number;
  /** Sent as JSON; absent for 204. */
  readonly body?: unknown;
}

export type ControlHandler = (call: ControlCall) => ControlResult | Promise<ControlResult>;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;

const ok = (body: unknown): ControlResult => ({ status: 200, body });
const noContent: ControlResult = { status: 204 };

export function clockView({ clock }: MockServer): ClockView {
  const { mode } = clock;
  return { now: new Date(clock.now()).toISOString(), mode, waitingFor: clock.waitingFor() };
}

interface ClockView {
  readonly now: string;
  readonly mode: string;
  /** What is still at work. */
  readonly waitingFor: readonly string[];
}

function assertEmpty(body: unknown): void {
  fields(body, {});
}

interface PageQuery {
  readonly limit: number;
  readonly order?: 'asc' | 'desc';
  readonly after?: string;
  readonly before?: string;
  readonly organization?: string;
}

function pageQuery(query: URLSearchParams): PageQuery {
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,3}$/.test(limit) || Number(limit) > MAX_LIMIT) {
    throw invalid(`The parameter limit must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  const optional: Record<string, Check> = {
    limit: () => undefined,
    order: oneOf('asc', 'desc'),
    after: text,
    before: text,
    organization: text,
  };
  fields(Object.fromEntries(query), {}, optional);
  return { ...Object.fromEntries(query), limit: Number(limit) };
}

function page<Row extends { readonly id: unknown }>(
  query: URLSearchParams,
  read: (query: PageQuery) => readonly Row[],
): ControlResult {
  const { limit, ...rest } = pageQuery(query);
  const rows = read({ ...rest, limit: limit + 1 });
  const data = rows.slice(0, limit);
  const nextCursor = rows.length > data.length ? String(data.at(-1)?.id) : null;
  return ok({ data, nextCursor });
}

/** By `METHOD /path` under `/_control`; `:id` matches one segment. */
export const controlRoutes: Readonly<Record<string, ControlHandler>> = {
  'GET /clock': ({ mock }) => ok(clockView(mock)),
  'POST /clock': async ({ mock, body }) => {
    const given = fields<{ advance?: Duration; to?: string }>(
      body,
      {},
      { advance: duration, to: text },
    );
    const { advance, to } = given;
    if ((advance === undefined) === (to === undefined)) {
      throw invalid("Pass either advance (a duration such as '31 days') or to (a time or 'now').");
    }
    if (advance !== undefined) await mock.clock.advance(advance);
    else await mock.clock.advanceTo(String(to));
    return ok(clockView(mock));
  },
  'POST /settle': async ({ mock, body }) => {
    assertEmpty(body);
    await mock.settle();
    return ok(clockView(mock));
  },
  'POST /tokens': async ({ mock, body }) => {
    const options = fields<Parameters<MockServer['issueToken']>[0]>(
      body,
      { role: oneOf('admin', 'member') },
      {
        sub: text,
        organization: text,
        project: text,
        expiresIn: lifetime,
        alg: oneOf('ES256', 'RS256', 'EdDSA'),
      },
    );
    return { status: 201, body: { token: await mock.issueToken(options) } };
  },
  'GET /organizations': ({ mock }) => ok({ data: mock.organizations() }),
  'POST /organizations': ({ mock, body }) => {
    const options = fields<{ quota?: number; organization?: string }>(
      body,
      {},
      { quota: integer(0), organization: text },
    );
    const { organization, project, adminKey, memberKey, signingSecret } =
      mock.createOrganization(options);
    return { status: 201, body: { organization, project, adminKey, memberKey, signingSecret } };
  },
  'DELETE /organizations/:id': ({ mock, id }) => {
    mock.deleteOrganization(id);
    return noContent;
  },
  'GET /invoices': ({ mock, query }) => {
    const organization = query.get('organization');
    return ok({ data: mock.billing.list(organization === null ? {} : { organization }) });
  },
  'POST /invoices/:id/pay': ({ mock, id, body }) => {
    assertEmpty(body);
    return ok(mock.billing.pay(id));
  },
  'POST /invoices/:id/fail': ({ mock, id, body }) => {
    const { reason } = fields<{ reason?: string }>(body, {}, { reason: text });
    return ok(mock.billing.fail(id, reason));
  },
  'POST /trigger': ({ mock, body }) => {
    const { event, organization, payload } = fields<{
      event: Parameters<MockServer['trigger']>[0];
      organization?: string;
      payload?: Parameters<MockServer['trigger']>[1];
    }>(body, { event: text }, { organization: text, payload: object });
    const data = mock.trigger(
      event,
      payload,
      organization === undefined ? undefined : { organization },
    );
    return { status: 202, body: { data } };
  },
  'GET /faults': ({ mock }) => ok({ data: mock.faults.list() }),
  'POST /faults': ({ mock, body }) => {
    const input = fields<Parameters<MockServer['faults']['add']>[0]>(
      body,
      { effect: object },
      {
        operation: text,
        delivery: text,
        organization: text,
        times: integer(1),
        probability: share,
      },
    );
    return { status: 201, body: mock.faults.add(input) };
  },
  'DELETE /faults/:id': ({ mock, id }) => {
    if (!mock.faults.remove(id)) throw notFound();
    return noContent;
  },
  'GET /requests': ({ mock, query }) => page(query, (page) => mock.requests(page)),
  'GET /deliveries': ({ mock, query }) => page(query, (page) => mock.deliveries(page)),
  'GET /deliveries/:id': ({ mock, id }) => {
    const delivery = mock.delivery(id);
    if (!delivery) throw notFound();
    return ok(delivery);
  },
  'GET /events': ({ mock, query }) => page(query, (page) => mock.events(page)),
  'GET /state': ({ mock }) => ok(mock.snapshot()),
  'PUT /state': ({ mock, body }) => {
    if (!isObject(body)) throw invalid('The body must be a snapshot, as GET /state returns it.');
    mock.restore(body as unknown as Parameters<MockServer['restore']>[0]);
    return noContent;
  },
  'POST /reset': ({ mock, body }) => {
    assertEmpty(body);
    mock.reset();
    return noContent;
  },
};
