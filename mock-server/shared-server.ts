import { handleAbortably } from './api/handle-abortably.ts';
import { type MakeResponse, toResponse, unavailableReply } from './api/reply.ts';
import { ControlError } from './control/control-error.ts';
import { createListeners } from './control/listeners.ts';
import { signingSecretOf, type Tenant } from './control/tenants.ts';
import type { Store } from './domain/ports.ts';
import { fetchError } from './fetch-error.ts';
import type { Leadership } from './leadership.ts';
import type { MockServer } from './mock-server.ts';
import type { SingleServerOptions } from './options.ts';
import type { InProcessReceiver } from './outbound/in-process.ts';
import type { Candidate, LeaderFacts, SharedStore } from './stores/shared-store.ts';

type EventListener = Parameters<MockServer['onEvent']>[0];
type RequestListener = Parameters<MockServer['onRequest']>[0];

/** Creates a server in this process over the store of one term. */
export type CreateServer = (
  options: SingleServerOptions,
  receivers: Map<string, InProcessReceiver>,
) => MockServer;

/** How long a request waits for a leader before it gets a 503. */
const PATIENCE_MS = 5_000;

/**
 * A server over a store that several processes share. While this process leads, a server of its own does the work, and
 * everything that is not named here is that server's; a standby responds 503, or throws from control calls.
 */
export function createSharedServer(
  options: Omit<SingleServerOptions, 'store'>,
  store: SharedStore,
  facts: Pick<MockServer, 'baseUrl' | 'routes'>,
  create: CreateServer,
): MockServer {
  const { onError = (error) => console.error(error) } = options;
  const receivers = new Map<string, InProcessReceiver>();
  const events = createListeners<Parameters<EventListener>[0]>(onError);
  const requests = createListeners<Parameters<RequestListener>[0]>(onError);
  const current = createCurrent();
  let strict = false;
  let closing: Promise<void> | undefined;

  function lead(termStore: Store): void {
    const server = create({ ...options, store: termStore }, receivers);
    server.onEvent(events.notify);
    server.onRequest(requests.notify);
    if (strict) server.requireHttps();
    current.set(server);
  }

  function depose(): void {
    const server = current.server;
    current.set(undefined);
    void server?.close();
  }

  const candidate: Candidate = {
    onLead: lead,
    onDeposed: depose,
    onStandby: current.setLeader,
    onError: (error) => {
      current.setLeader({});
      onError(error);
    },
  };
  const membership = store.join(candidate);

  const own = {
    ...facts,
    receivers,
    leadership: {
      get leading() {
        return current.server !== undefined;
      },
      get leaderUrl() {
        return current.leader?.url;
      },
      advertise: membership.advertise,
      known: current.known,
      onChange: current.onChange,
    } satisfies Leadership,
    onEvent: events.add,
    onRequest: requests.add,
    flushed: () =>
      current.server
        ? current.server.flushed()
        : current.known(PATIENCE_MS).then(() => current.server?.flushed()),
    requireHttps() {
      strict = true;
      current.server?.requireHttps();
    },
    async handle(request: Request, make?: MakeResponse) {
      if (!current.server && !current.leader?.url) await current.known(PATIENCE_MS);
      if (closing) return Response.error();
      return current.server?.handle(request, make) ?? toResponse(unavailableReply(STANDBY), make);
    },
    async fetch(input: Request | URL | string, init?: RequestInit) {
      const request = input instanceof Request && !init ? input : new Request(input, init);
      const response = await handleAbortably(request, own.handle);
      if (response.type === 'error') throw fetchError(closing !== undefined);
      return response;
    },
    close() {
      closing ??= (async () => {
        const server = current.server;
        await server?.close();
        await membership.close();
        current.set(undefined);
      })();
      return closing;
    },
  };

  return new Proxy(own, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const found: object | undefined = current.server ?? standbyFacts(current.leader, options);
      if (found && (name in found || current.server)) return Reflect.get(found, name);
      // Promises and inspectors probe objects for names like these.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      throw new ControlError(
        'unavailable',
        `This process stands by: it has no ${name}. Ask the leader.`,
      );
    },
    has: (_, name) => Object.hasOwn(own, name) || (current.server ? name in current.server : false),
  }) as unknown as MockServer;
}

const STANDBY =
  'This process stands by, and the one that leads was not reached. Try again after Retry-After.';

/** What a standby can say of the server: the keys are known to those who created or imported them. */
function standbyFacts(
  leader: LeaderFacts | undefined,
  { adminKey = '' }: SingleServerOptions,
): (Tenant & { readonly resumed: boolean }) | undefined {
  const home = leader?.home;
  if (!home)
    return {
      resumed: true,
      organization: '',
      project: '',
      adminKey,
      memberKey: '',
      signingSecret: '',
    };
  return {
    resumed: true,
    organization: home.organization.id,
    project: home.project.id,
    adminKey,
    memberKey: '',
    signingSecret: signingSecretOf(home.project),
  };
}

/** Who leads: this process's server, another process, or nobody that is known of. */
function createCurrent() {
  const listeners = createListeners<void>(() => {});
  let server: MockServer | undefined;
  let leader: LeaderFacts | undefined;
  let waiting: (() => void)[] = [];

  const isKnown = () => server !== undefined || leader?.home !== undefined;

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
    set(next: MockServer | undefined) {
      server = next;
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
