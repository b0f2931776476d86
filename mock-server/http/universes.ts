import { defaults } from '../composition/defaults.ts';
import type { MockServer } from '../composition/mock-server.ts';
import type { UniverseOptions } from '../composition/options.ts';
import { ControlProblem, notFound, problemResponse } from '../control-api/problem.ts';
import type { UniverseAccess, Universes, UniverseView } from '../control-api/universes.ts';
import { longestTimerMs } from '../domain/known-options.ts';
import type { SocketRequest } from './node-request.ts';
import { makePlain } from './node-response.ts';
import { createSite, type Site, type SiteOptions } from './site/site.ts';

/** How many universes a server holds, and for how long. */
export interface UniverseLimits {
  /** The maximum number at a time. @default 2_000 */
  readonly max?: number;
  /** Milliseconds of wall time without a request or an open stream after which a universe is closed. @default 600_000 (10 minutes) */
  readonly idleMs?: number;
}

/** A URL below `/u/<id>`, taken apart. */
export interface UniverseAddress {
  readonly id: string;
  /** The path and query after the id. */
  readonly path: string;
  /** The URL as the universe's own site sees it. */
  readonly url: string;
}

/** Returns undefined for addresses outside `/u/`. */
export function universeAddress(url: string): UniverseAddress | undefined {
  const [, origin = '', id = '', path = ''] = ADDRESS.exec(url) ?? [];
  return origin === '' ? undefined : { id, path, url: origin + path };
}

/** The universes of a listening mock, each under `/u/<id>`. */
export interface ServedUniverses extends Universes {
  /** Returns undefined for addresses outside `/u/`. */
  handle(request: SocketRequest): Promise<Response> | undefined;
  close(): Promise<void>;
}

interface Universe {
  readonly id: string;
  readonly url: string;
  readonly mock: MockServer;
  readonly createdAt: number;
  /** Wall time in ms. */
  lastUsedAt: number;
  /** Requests without a complete response, open streams included. */
  open: number;
  /** Created for the first request that is not to the public API. */
  site: Site | undefined;
}

/** How many times to look for idle universes within `idleMs`. */
const SWEEPS_PER_LIMIT = 4;
const ADDRESS = /^(https?:\/\/[^/?#]*)\/u\/([\w-]*)([/?#].*)?$/s;

/** `serverUrl` is called when a universe is created, because the port is known only once the server listens. */
export function createUniverses(
  server: MockServer,
  serverUrl: () => string,
  options: Omit<SiteOptions, 'universes'> & UniverseLimits,
): ServedUniverses {
  const { max = defaults.universes, idleMs = defaults.universeIdleMs, dashboard, gate } = options;
  assertLimit('max', max, 0);
  assertLimit('idleMs', idleMs, 1);
  const universes = new Map<string, Universe>();
  let timer: ReturnType<typeof setInterval> | undefined;

  async function remove(id: string): Promise<boolean> {
    const universe = universes.get(id);
    if (!universe) return false;
    universes.delete(id);
    if (universes.size === 0) clearInterval(timer);
    universe.site?.close();
    await universe.mock.close();
    return true;
  }

  function endIdle(): void {
    const before = Date.now() - idleMs;
    for (const { id, lastUsedAt, open } of universes.values()) {
      if (open === 0 && lastUsedAt < before) void remove(id);
    }
  }

  function create({ start, ...rest }: UniverseOptions): UniverseAccess {
    if (universes.size >= max) {
      const detail = `This server already holds ${max} universes. Close those that are no longer used.`;
      throw new ControlProblem(503, 'unavailable', detail);
    }
    const id = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
    const url = `${serverUrl()}/u/${id}`;
    // Receivers in other processes check signatures against their own clock.
    const begin = start ?? (rest.clock === 'manual' ? 'now' : undefined);
    const mock = server.createUniverse({
      ...rest,
      ...(begin !== undefined && { start: begin }),
      baseUrl: url,
    });
    if (universes.size === 0) {
      timer = setInterval(endIdle, idleMs / SWEEPS_PER_LIMIT);
      timer.unref();
    }
    const now = Date.now();
    universes.set(id, { id, url, mock, createdAt: now, lastUsedAt: now, open: 0, site: undefined });
    return accessTo(id, url, mock, gate.universeToken(id));
  }

  const self: ServedUniverses = {
    create,
    remove,
    list: () => Array.from(universes.values(), viewOf),
    handle(request) {
      const address = universeAddress(request.url);
      if (!address) return undefined;
      const { id, path } = address;
      const universe = universes.get(id);
      if (!universe) return Promise.resolve(goneResponse());
      // The dashboard's files have relative addresses.
      if (path === '' || path.startsWith('?')) return Promise.resolve(redirectTo(id, path));
      const inside = request.withUrl(address.url);
      universe.site ??= createSite(universe.mock, {
        dashboard,
        gate: gate.within(id),
        universes: self,
      });
      const response =
        universe.site.handle(inside, request.peer) ?? universe.mock.handle(inside, makePlain);
      return inUse(universe, response);
    },
    async close() {
      await Promise.all(Array.from(universes.keys(), remove));
    },
  };
  return self;
}

/** Counts the universe as in use until the response is complete. */
async function inUse(universe: Universe, responding: Promise<Response>): Promise<Response> {
  universe.open += 1;
  universe.lastUsedAt = Date.now();
  const end = () => {
    universe.open -= 1;
    universe.lastUsedAt = Date.now();
  };
  let response: Response | undefined;
  try {
    response = await responding;
    if (!isStream(response)) return response;
    const { status, headers } = response;
    const fields = Object.fromEntries(headers);
    return makePlain(untilRead(response.body, end), { status, headers: fields });
  } finally {
    if (!isStream(response)) end();
  }
}

type Streamed = Response & { readonly body: ReadableStream<Uint8Array> };

/** Only a stream can take long to send. */
const isStream = (response: Response | undefined): response is Streamed =>
  response !== undefined &&
  response.body !== null &&
  response.headers.get('content-type') === 'text/event-stream';

/** The same stream; `onEnd` is called once, when it ends, breaks or is abandoned. */
function untilRead(body: ReadableStream<Uint8Array>, onEnd: () => void) {
  const reader = body.getReader();
  let ended = false;
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (ended) return;
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function assertLimit(name: keyof UniverseLimits, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= longestTimerMs) return;
  throw new TypeError(
    `Failed to serve: universes.${name} must be an integer from ${least} to ${longestTimerMs}.`,
  );
}

function accessTo(
  id: string,
  url: string,
  { organization, project, adminKey, memberKey, signingSecret }: MockServer,
  controlToken: string | undefined,
): UniverseAccess {
  const access = { id, url, organization, project, adminKey, memberKey, signingSecret };
  return controlToken === undefined ? access : { ...access, controlToken };
}

function viewOf({ id, url, mock, createdAt, lastUsedAt }: Universe): UniverseView {
  return {
    id,
    url,
    organization: mock.organization,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: new Date(lastUsedAt).toISOString(),
  };
}

function goneResponse(): Response {
  const { status, code } = notFound();
  const detail = 'There is no such universe: it was closed, or it expired because it was idle.';
  return problemResponse(new ControlProblem(status, code, detail));
}

function redirectTo(id: string, query: string): Response {
  return new Response(null, { status: 308, headers: { location: `/u/${id}/${query}` } });
}
