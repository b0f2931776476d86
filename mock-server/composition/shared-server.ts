import { createFetch } from '../api/create-fetch.ts';
import { contractReply, type MakeResponse, toResponse, unavailableReply } from '../api/reply.ts';
import { ControlError } from '../control/arguments.ts';
import type { TenantKeys } from '../control/tenants/first-tenant.ts';
import { signingSecretOf, type Tenant } from '../control/tenants/tenants.ts';
import { createListeners } from '../domain/listeners.ts';
import type { Store } from '../domain/ports.ts';
import type { InProcessReceiver } from '../outbound/in-process.ts';
import { readPackageFile } from '../platform/package-file.ts';
import type { LeaderFacts, SharedStore } from '../stores/shared-store.ts';
import type { Leadership, MockServer, ResponseListener } from './mock-server.ts';
import type { SingleServerOptions } from './options.ts';

type EventListener = Parameters<MockServer['onEvent']>[0];
type Shown = Parameters<ResponseListener>;
type RequestListener = Parameters<MockServer['onRequest']>[0];

/** Creates a server in this process over the store of one term. */
export type CreateServer = (
  options: SingleServerOptions,
  receivers: Map<string, InProcessReceiver>,
  keys: TenantKeys,
) => MockServer;

/** How long a request waits for a leader before it gets a 503. */
const PATIENCE_MS = 5_000;

/**
 * A server over a store that several processes share. While this process is the leader, its own server does the work
 * and provides every member that is not named here; a standby responds 503, and its control calls throw.
 */
export function createSharedServer(
  options: Omit<SingleServerOptions, 'store'>,
  store: SharedStore,
  facts: Pick<MockServer, 'baseUrl' | 'routes'>,
  create: CreateServer,
): MockServer {
  const { onError = (error) => console.error(error) } = options;
  const current = createCurrent();
  const terms = createTerms({ ...options, onError }, current, create);
  const membership = store.join({
    onLead: terms.begin,
    onDeposed: terms.end,
    onStandby: current.setLeader,
    onError(error) {
      current.setLeader({});
      onError(error);
    },
  });
  const leadership: Leadership = {
    get leading() {
      return current.server !== undefined;
    },
    get closed() {
      return current.closing !== undefined;
    },
    get leaderUrl() {
      return current.leader?.url;
    },
    advertise: membership.advertise,
    known: current.known,
    onChange: current.onChange,
  };
  const own: Partial<MockServer> & Pick<MockServer, 'handle'> = {
    ...facts,
    ...terms.lasting,
    get adminKey() {
      return current.keys.adminKey || (options.adminKey ?? '');
    },
    get memberKey() {
      return current.keys.memberKey;
    },
    handle: createHandle(current, new URL(facts.baseUrl).pathname),
    // Through the property, so that wrapping `handle` covers `fetch` too.
    fetch: createFetch(
      (request, make) => own.handle(request, make),
      () => current.closing !== undefined,
    ),
    leadership,
    flushed: () =>
      current.server
        ? current.server.flushed()
        : current.known(PATIENCE_MS).then(() => current.server?.flushed()),
    close: () => current.close(membership.close),
  };
  return withLeadersMembers(own, current);
}

type Current = ReturnType<typeof createCurrent>;

/** The servers of this process, one for each term, and what outlasts them. */
function createTerms(
  options: SingleServerOptions & { readonly onError: (error: unknown) => void },
  current: Current,
  create: CreateServer,
) {
  const { onError } = options;
  const receivers = new Map<string, InProcessReceiver>();
  const events = createListeners<Parameters<EventListener>[0]>(onError);
  const requests = createListeners<Parameters<RequestListener>[0]>(onError);
  const responses = createListeners<Shown>(onError);
  /** What `serve` has switched on, for every server of this process. */
  const switches: ((server: MockServer) => void)[] = [];

  let copies = false;

  function switchOn(change: (server: MockServer) => void): void {
    switches.push(change);
    if (current.server) change(current.server);
  }

  return {
    begin(store: Store): void {
      let server: MockServer | undefined;
      // A request that fails because the term has ended is not a server error.
      const report = (error: unknown) =>
        setImmediate(() => {
          if (server === undefined || server === current.server) onError(error);
        });
      server = create({ ...options, store, onError: report }, receivers, current.keys);
      server.onEvent(events.notify);
      server.onRequest(requests.notify);
      for (const change of switches) change(server);
      current.set(server);
    },
    end(): void {
      const { server } = current;
      current.set(undefined);
      void server?.close();
    },
    lasting: {
      receivers,
      onEvent: events.add,
      onRequest: requests.add,
      onResponse(listener: ResponseListener) {
        // Without a listener no response is copied.
        if (!copies) {
          copies = true;
          switchOn((server) => server.onResponse((...shown) => responses.notify(shown)));
        }
        return responses.add((shown) => listener(...shown));
      },
      requireHttps: () => switchOn((server) => server.requireHttps()),
      forbidLoopback: () => switchOn((server) => server.forbidLoopback()),
      startNow: () => switchOn((server) => server.startNow()),
    },
  };
}

function createHandle(current: Current, basePath: string): MockServer['handle'] {
  return async (request, make) => {
    const document = current.server ? undefined : contractFor(request, basePath, make);
    if (document && !current.closing) return document;
    if (!current.server && !current.leader?.url) await current.known(PATIENCE_MS);
    if (current.closing) return Response.error();
    return current.server?.handle(request, make) ?? toResponse(unavailableReply(STANDBY), make);
  };
}

/** The contract is the same in every process, so a standby serves it too. */
function contractFor(
  { method, url }: Request,
  basePath: string,
  make: MakeResponse | undefined,
): Response | undefined {
  const path = new URL(url).pathname;
  const isContract = path === '/openapi.yaml' || path === `${basePath}/openapi.yaml`;
  if (!isContract || (method !== 'GET' && method !== 'HEAD')) return undefined;
  const yaml = readPackageFile('openapi.yaml');
  if (yaml === undefined) return undefined;
  const reply = contractReply(yaml);
  return toResponse(method === 'HEAD' ? { ...reply, body: null } : reply, make);
}

/** Adds the members of this process's server, which exists while this process is the leader. */
function withLeadersMembers(own: object, current: Current) {
  return new Proxy(own, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      if (current.server) return Reflect.get(current.server, name);
      const found = { ...standbyFacts(current.leader), resumed: true };
      if (name in found) return Reflect.get(found, name);
      // Promises and inspectors probe objects for names like these.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      throw new ControlError(
        'unavailable',
        `This process is a standby, so ${name} is not available here. Ask the leader.`,
      );
    },
    has: (_, name) => Object.hasOwn(own, name) || (current.server ? name in current.server : false),
  }) as MockServer;
}

const STANDBY =
  'This process is a standby and could not reach the leader. Wait as long as Retry-After says, then retry.';

/** What a standby knows about the server. */
function standbyFacts(leader: LeaderFacts | undefined): Omit<Tenant, keyof TenantKeys> {
  const home = leader?.home;
  return {
    organization: home?.organization.id ?? '',
    project: home?.project.id ?? '',
    signingSecret: signingSecretOf(home?.project),
  };
}

/** The leader: this process's server, another process, or unknown. */
function createCurrent() {
  const listeners = createListeners<void>(() => {});
  let server: MockServer | undefined;
  let leader: LeaderFacts | undefined;
  let closing: Promise<void> | undefined;
  let keys: TenantKeys = { adminKey: '', memberKey: '' };
  let waiting: (() => void)[] = [];

  const isKnown = () => closing !== undefined || server !== undefined || leader?.home !== undefined;

  function wake(): void {
    if (!isKnown()) return;
    for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    get server() {
      return server;
    },
    get leader() {
      return leader;
    },
    get closing() {
      return closing;
    },
    /** Those that this process issued: they work in every process and term. */
    get keys() {
      return keys;
    },
    /** Ends the server of this process, then leaves. */
    close(leave: () => Promise<void>): Promise<void> {
      closing ??= (async () => {
        await server?.close();
        await leave();
        server = undefined;
      })();
      wake();
      return closing;
    },
    set(next: MockServer | undefined) {
      server = next;
      if (next && !next.resumed) keys = { adminKey: next.adminKey, memberKey: next.memberKey };
      leader = undefined;
      listeners.notify();
      wake();
    },
    setLeader(facts: LeaderFacts) {
      const moved = facts.url !== leader?.url;
      leader = facts;
      if (moved) listeners.notify();
      wake();
    },
    onChange: listeners.add,
    known(ms: number): Promise<void> {
      if (isKnown()) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting = waiting.filter((one) => one !== done);
          resolve();
        }, ms);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        waiting.push(done);
      });
    },
  };
}
