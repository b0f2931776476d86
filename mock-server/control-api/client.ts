import type { ControlClock } from '../control/control.ts';
import type { MockServer } from '../mock-server.ts';

type Promised<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : T[K] extends object
      ? Promised<T[K]>
      : T[K];
};

type Controlled = Pick<
  MockServer,
  | 'settle'
  | 'issueToken'
  | 'organizations'
  | 'billing'
  | 'trigger'
  | 'faults'
  | 'requests'
  | 'deliveries'
  | 'delivery'
  | 'events'
  | 'snapshot'
  | 'restore'
  | 'reset'
>;

type Access = ReturnType<MockServer['createOrganization']>;

/**
 * The control half of a reference server, each call answering a promise. A test that awaits every call runs on
 * `connectMock(url)` and on the server that `createMockServer()` makes in process.
 */
export interface MockControl extends Promised<Controlled> {
  readonly clock: {
    /** Milliseconds since the Unix epoch, on the server's clock. */
    now(): Promise<number>;
    /** Moves the clock by ms or `'31 days'`, runs all that falls due, answers the new time. */
    advance(duration: Parameters<ControlClock['advance']>[0]): Promise<number>;
  };
  /** A tenant of its own, or a further project of one; its keys are shown once. */
  createOrganization(
    options?: Parameters<MockServer['createOrganization']>[0],
  ): Promise<Pick<Access, 'organization' | 'project' | 'adminKey' | 'memberKey' | 'signingSecret'>>;
}

/** What the control API refused; `code` is the problem's. Without an answer: status 0, `unreachable`, and the cause. */
export class MockControlError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string, cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = 'MockControlError';
    this.status = status;
    this.code = code;
  }
}

interface Problem {
  readonly code?: string;
  readonly detail?: string;
}

type Row = { readonly id: string };

const PAGE = 1000;

/**
 * Connects to the control plane of a standalone server (`contentgen mock`). Nothing is sent before the first call.
 *
 * @param url Its base URL, with or without `/v2` or `/_control`.
 * @throws MockControlError from each call, with the problem's `code`; `control_refused` from another machine, `unreachable`
 * where nothing answers.
 */
export function connectMock(
  url: string | URL,
  options: { readonly fetch?: typeof fetch } = {},
): MockControl {
  const base = `${String(url)
    .replace(/\/+$/, '')
    .replace(/\/(?:_control|v2)$/, '')}/_control`;

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const send = options.fetch ?? fetch;
    const response = await send(base + path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      const detail = `Failed to reach the mock server at ${base}: is \`contentgen mock\` running there?`;
      throw new MockControlError(0, 'unreachable', detail, cause);
    });
    const text = await response.text();
    if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
    throw refusal(response.status, text);
  }

  /** Undefined for what is not there; null for an answer without a body. */
  async function found<T>(method: string, path: string): Promise<T | undefined> {
    try {
      return (await call<T | undefined>(method, path)) ?? (null as T);
    } catch (error) {
      if (error instanceof MockControlError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  async function now(method: string, path: string, body?: unknown): Promise<number> {
    return Date.parse((await call<{ now: string }>(method, path, body)).now);
  }

  async function data<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await call<{ data: T }>(method, path, body)).data;
  }

  async function rows<T>(path: string, query: object = {}): Promise<T[]> {
    const asked = query as { limit?: number; order?: string };
    const most = asked.limit ?? Number.POSITIVE_INFINITY;
    const cursor = asked.order === 'desc' ? 'before' : 'after';
    const found: T[] = [];
    let next: Record<string, string> = {};
    while (found.length < most) {
      const limit = String(Math.min(PAGE, most - found.length));
      const parameters = new URLSearchParams({
        ...(query as Record<string, string>),
        limit,
        ...next,
      });
      const answer = await call<{ data: T[]; nextCursor: string | null }>(
        'GET',
        `${path}?${parameters}`,
      );
      found.push(...answer.data);
      if (answer.nextCursor === null) break;
      next = { [cursor]: answer.nextCursor };
    }
    return found;
  }

  const id = (value: string) => encodeURIComponent(value);

  return {
    clock: {
      now: () => now('GET', '/clock'),
      advance: (duration) => now('POST', '/clock', { advance: duration }),
    },
    settle: () => now('POST', '/settle', {}),
    issueToken: async (request) =>
      (await call<{ token: string }>('POST', '/tokens', request)).token,
    createOrganization: (request = {}) => call('POST', '/organizations', request),
    organizations: () => data('GET', '/organizations'),
    billing: {
      list: (query) =>
        data('GET', `/invoices?${new URLSearchParams(query as Record<string, string>)}`),
      pay: (invoice) => call('POST', `/invoices/${id(invoice)}/pay`, {}),
      fail: (invoice, reason) =>
        call('POST', `/invoices/${id(invoice)}/fail`, reason === undefined ? {} : { reason }),
    },
    trigger: (event, payload, target) =>
      data('POST', '/trigger', { event, ...(payload ? { payload } : {}), ...target }),
    faults: {
      add: (fault) => call('POST', '/faults', fault),
      list: () => data('GET', '/faults'),
      remove: async (fault) => (await found('DELETE', `/faults/${id(fault)}`)) === null,
      clear: async () => {
        for (const { id: fault } of await data<Row[]>('GET', '/faults')) {
          await call('DELETE', `/faults/${id(fault)}`);
        }
      },
    },
    requests: (query) => rows('/requests', query),
    deliveries: (query) => rows('/deliveries', query),
    delivery: (delivery) => found('GET', `/deliveries/${id(delivery)}`),
    events: (query) => rows('/events', query),
    snapshot: () => call('GET', '/state'),
    restore: (snapshot) => call('PUT', '/state', snapshot),
    reset: () => call('POST', '/reset', {}),
  };
}

function refusal(status: number, text: string): MockControlError {
  let problem: Problem = {};
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    // Another server than ours answered.
  }
  const detail = problem.detail ?? `The control API answered ${status}.`;
  return new MockControlError(status, problem.code ?? 'unexpected_answer', detail);
}
