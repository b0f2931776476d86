import { addRoute, createRouter, findAllRoutes, findRoute } from 'rou3';
import type { MockServer } from '../composition/mock-server.ts';
import { type Exposure, findAccessError } from './access.ts';
import type { ControlHandler } from './input.ts';
import { readBody } from './input.ts';
import { logStreams } from './log-stream.ts';
import {
  accessProblem,
  ControlProblem,
  jsonResponse,
  notFound,
  problemOf,
  problemResponse,
} from './problem.ts';
import { controlRoutes } from './routes.ts';

const PREFIX = '/_control';
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'];
const MEBIBYTE = 1 << 20;
const BODY_LIMIT = MEBIBYTE;
const STATE_LIMIT = 512 * MEBIBYTE;

export interface ControlSite {
  /** Responds to requests under `/_control`; returns undefined for all others. */
  handle(request: Request, peer: string | undefined): Promise<Response> | undefined;
  /** Ends the event streams. */
  close(): void;
}

interface ControlRoute {
  /** `METHOD /path`. */
  readonly name: string;
  /** Absent for the stream. */
  readonly run?: ControlHandler;
}

const EVENT_STREAM = 'GET /events/stream';

/** All mocks of this process share it. */
let sharedRouter: ReturnType<typeof createControlRouter> | undefined;

/**
 * The control API over HTTP. `exposure` says who can use it; `'page'` skips the check, for a mock that runs in a page
 * and cannot be reached from outside it.
 */
export function controlSite(mock: MockServer, exposure: Exposure | 'page' = false): ControlSite {
  const streams = logStreams(mock);
  sharedRouter ??= createControlRouter();
  const router = sharedRouter;

  async function respond(request: Request, url: URL): Promise<Response> {
    const path = url.pathname.slice(PREFIX.length);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = findRoute(router, method, path);
    if (!route) return methodNotAllowed(method, allowedMethods(router, path));
    const { name, run } = route.data;
    if (!run) return streams.open(request);
    const limit = name === 'PUT /state' ? STATE_LIMIT : BODY_LIMIT;
    const body = method === 'GET' ? {} : await readBody(request, limit);
    const id = route.params?.['id'] ?? '';
    const result = await run({ mock, id, query: url.searchParams, body });
    if (method !== 'GET') await saved(mock);
    if (name === 'PUT /state' || name === 'POST /reset') streams.restart();
    return jsonResponse(result.status, result.body);
  }

  return {
    handle(request, peer) {
      const url = new URL(request.url);
      if (url.pathname !== PREFIX && !url.pathname.startsWith(`${PREFIX}/`)) return undefined;
      const error =
        exposure === 'page'
          ? undefined
          : findAccessError({ peer, headers: request.headers }, exposure);
      if (error !== undefined) return Promise.resolve(problemResponse(accessProblem(error)));
      return respond(request, url).catch((thrown: unknown) => problemResponse(problemOf(thrown)));
    },
    close: streams.close,
  };
}

async function saved(mock: MockServer): Promise<void> {
  try {
    await mock.flushed();
  } catch {
    throw new ControlProblem(503, 'unavailable', NOT_SAVED);
  }
}

const NOT_SAVED =
  'The change is in effect but could not be saved. Free up space on the disk of the data file, then retry.';

function createControlRouter() {
  const router = createRouter<ControlRoute>();
  const add = (route: ControlRoute) => {
    const [method, path] = route.name.split(' ') as [string, string];
    addRoute(router, method, path, route);
  };
  for (const [name, run] of Object.entries(controlRoutes)) {
    add({ name, run });
  }
  add({ name: EVENT_STREAM });
  return router;
}

function allowedMethods(router: ReturnType<typeof createControlRouter>, path: string): string[] {
  return METHODS.filter((method) => findAllRoutes(router, method, path).length > 0);
}

function methodNotAllowed(method: string, allowed: readonly string[]): Response {
  if (allowed.length === 0) throw notFound();
  const allow = allowed.join(', ');
  const detail = `This address does not support ${method}. Use ${allow}.`;
  return problemResponse(new ControlProblem(405, 'method_not_allowed', detail), { allow });
}
