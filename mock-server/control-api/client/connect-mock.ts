import type { MockServer } from '../../composition/mock-server.ts';
import type { ControlClock } from '../../control/control.ts';
import type { Found, LogQuery, SearchRows } from '../../control/logs/logs.ts';
import { assertOptions, callback, checkedLater, type OptionRules } from '../../domain/options.ts';
import {
  type Call,
  controlUrl,
  createCall,
  MockControlError,
  notTheControlApi,
} from './control-call.ts';

export { MockControlError };

type Promised<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : T[K] extends object
      ? Promised<T[K]>
      : T[K];
};

type Controlled = Pick<
  MockServer,
  | 'settle'
  | 'issueToken'
  | 'organizations'
  | 'deleteOrganization'
  | 'billing'
  | 'trigger'
  | 'faults'
  | 'requests'
  | 'deliveries'
  | 'delivery'
  | 'events'
  | 'activity'
  | 'coverage'
  | 'resend'
  | 'redeliver'
  | 'access'
  | 'snapshot'
  | 'restore'
  | 'reset'
>;

type Access = ReturnType<MockServer['createOrganization']>;

/**
 * The control calls of a reference server, each of which returns a promise. A test that awaits every call runs both on
 * `connectMock(url)` and on what `createMockServer()` returns.
 */
export interface MockControl extends Promised<Controlled> {
  /** Finds the rows of a list that match, oldest first unless `order` is `desc`, and counts all that match. */
  search<Name extends keyof SearchRows>(
    name: Name,
    query?: LogQuery,
  ): Promise<Found<SearchRows[Name]>>;
  /** The server's clock. */
  readonly clock: {
    /** Milliseconds since the Unix epoch, on the server's clock. */
    now(): Promise<number>;
    /** Moves the clock forward by ms or `'31 days'`, runs everything that falls due and resolves to the new time in ms. */
    advance(duration: Parameters<ControlClock['advance']>[0]): Promise<number>;
    /** Advances to a time such as `'2026-02-01T00:00:00Z'`, or to `'now'`, the server's wall clock. */
    advanceTo(time: string): Promise<number>;
    /** What `settle` and `advance` would wait for now: deliveries and generations in progress. */
    waitingFor(): Promise<string[]>;
  };
  /**
   * Creates an organization, or another project in one. Its keys cannot be read again later. `signingSecret` is the
   * secret at its creation: after a rotation, ask for the current one with `GET /api/webhooks/signing-secret`.
   */
  createOrganization(
    options?: Parameters<MockServer['createOrganization']>[0],
  ): Promise<Pick<Access, 'organization' | 'project' | 'adminKey' | 'memberKey' | 'signingSecret'>>;
}

/** Options of {@link connectMock}. */
export interface ConnectOptions {
  /** The server's `--control-token`. @default none */
  readonly controlToken?: string;
  /** The transport. @default the global `fetch` */
  readonly fetch?: typeof fetch;
}

// The token is checked where it is made a header.
const rules: OptionRules<ConnectOptions> = { controlToken: checkedLater, fetch: callback };

const PAGE_SIZE = 1000;

/**
 * Connects to the control API of a standalone server (`contentgen mock`). Nothing is sent before the first call.
 *
 * Each call throws a {@link MockControlError} with the problem's `code`: for instance `control_forbidden` from another
 * machine, `control_token_required` without the right token, and `unreachable` when no server is running there.
 *
 * @param url The server's base URL, with or without `/v2` or `/_control`.
 * @throws TypeError for a `controlToken` that no header can carry
 * @example
 * ```ts
 * import { connectMock } from 'contentgen/mock/remote';
 *
 * const mock = connectMock('http://127.0.0.1:4010');
 * await mock.trigger('data_updated');
 * await mock.settle();
 * ```
 */
export function connectMock(url: string | URL, options: ConnectOptions = {}): MockControl {
  assertOptions('connect to the mock server', options, rules);
  const call = createCall(controlUrl(url), options);
  const field = async <T>(name: string, ...request: [string, string, unknown?]): Promise<T> => {
    const value = (await call<Record<string, T | undefined>>(...request))?.[name];
    if (value === undefined) throw notTheControlApi({});
    return value;
  };
  const time = async (...request: [string, string, unknown?]) =>
    Date.parse(await field<string>('now', ...request));
  const data = <T>(...request: [string, string, unknown?]) => field<T>('data', ...request);
  const id = encodeURIComponent;

  return {
    clock: {
      now: () => time('GET', '/clock'),
      advance: (duration) => time('POST', '/clock', { advance: duration }),
      advanceTo: (to) => time('POST', '/clock', { to }),
      waitingFor: () => field('waitingFor', 'GET', '/clock'),
    },
    settle: () => time('POST', '/settle', {}),
    issueToken: (request) => field('token', 'POST', '/tokens', withoutKeys(request)),
    createOrganization: (request = {}) => call('POST', '/organizations', request),
    organizations: () => data('GET', '/organizations'),
    deleteOrganization: (organization) => call('DELETE', `/organizations/${id(organization)}`),
    billing: {
      list: async (query) => (await readRows(call, 'invoices', query)).data,
      pay: (invoice) => call('POST', `/invoices/${id(invoice)}/pay`, {}),
      fail: (invoice, reason) =>
        call('POST', `/invoices/${id(invoice)}/fail`, reason === undefined ? {} : { reason }),
    },
    trigger(event, payload, target = {}) {
      const { project, ...rest } = withoutKeys(target);
      return data('POST', '/trigger', { event, ...(payload ? { payload } : {}), ...rest });
    },
    faults: {
      add: (fault) => call('POST', '/faults', fault),
      list: () => data('GET', '/faults'),
      remove: async (fault) =>
        (await orUndefined(call<void>('DELETE', `/faults/${id(fault)}`).then(() => true))) ?? false,
      clear: async () => {
        for (const fault of await data<{ readonly id: string }[]>('GET', '/faults')) {
          await call('DELETE', `/faults/${id(fault.id)}`);
        }
      },
    },
    requests: async (query) => (await readRows(call, 'requests', query)).data,
    deliveries: async (query) => (await readRows(call, 'deliveries', query)).data,
    delivery: (delivery) => orUndefined(call('GET', `/deliveries/${id(delivery)}`)),
    events: async (query) => (await readRows(call, 'events', query)).data,
    search: (name, query) => readRows(call, name, query),
    activity(query = {}) {
      const { project, ...rest } = withoutKeys(query);
      return call('GET', `/activity?${parametersOf(rest)}`);
    },
    coverage: (query = {}) => call('GET', `/coverage?${parametersOf(withoutKeys(query))}`),
    resend: (delivery, edited = {}) => call('POST', `/deliveries/${id(delivery)}/resend`, edited),
    redeliver: (filter = {}) =>
      field('count', 'POST', '/deliveries/redeliver', withoutKeys(filter)),
    access: () => call('GET', '/access'),
    snapshot: () => call('GET', '/state'),
    restore: (snapshot) => call('PUT', '/state', snapshot),
    reset: () => call('POST', '/reset', {}),
  };
}

/** Reads page after page, up to the query's limit. */
async function readRows<Name extends keyof SearchRows>(
  call: Call,
  name: Name,
  query: LogQuery = {},
): Promise<Found<SearchRows[Name]>> {
  const { limit: wanted = Number.POSITIVE_INFINITY, order } = query;
  const path = name === 'apiKeys' ? '/api-keys' : `/${name}`;
  const data: SearchRows[Name][] = [];
  let total = 0;
  let cursor: Record<string, string> = {};
  if (wanted === 0) return { data, total };
  do {
    const parameters = parametersOf({
      ...withoutKeys(query),
      limit: String(Math.min(PAGE_SIZE, wanted - data.length)),
      ...cursor,
    });
    const page = await call<Found<SearchRows[Name]> & { readonly nextCursor: string | null }>(
      'GET',
      `${path}?${parameters}`,
    );
    data.push(...page.data);
    total = page.total;
    if (page.nextCursor === null) break;
    cursor = { [order === 'desc' ? 'before' : 'after']: page.nextCursor };
  } while (data.length < wanted);
  return { data, total };
}

/**
 * A tenant can be passed wherever its organization is an option; its keys are not sent. The server rejects what else it
 * does not know.
 */
function withoutKeys(options: object): Record<string, unknown> {
  const { adminKey, memberKey, signingSecret, ...rest } = (options ?? {}) as Record<
    string,
    unknown
  >;
  return rest;
}

/** Without those that are undefined. */
function parametersOf(values: Record<string, unknown>): URLSearchParams {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof MockControlError && error.code === 'not_found') return undefined;
    throw error;
  }
}
