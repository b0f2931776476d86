import { addRoute, createRouter, findAllRoutes, findRoute } from 'rou3';
import type { MockServer } from '../mock-server.ts';
import { type Exposure, refusalOf } from './access.ts';
import { eventStreams } from './event-stream.ts';
import { ControlProblem } from './input.ts';
import { type ControlAnswer, type ControlCall, controlRoutes, notFound } from './routes.ts';

const MEBIBYTE = 1 << 20;
const BODY_LIMIT = MEBIBYTE;
const STATE_LIMIT = 512 * MEBIBYTE;

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  not_found: 404,
  invalid_state: 409,
  validation_failed: 422,
};

function reply(status: number, body: unknown, type = 'application/json', headers = {}): Response {
  if (body === undefined) return new Response(null, { status, headers });
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
  });
}

export function problem(error: ControlProblem, headers: Record<string, string> = {}): Response {
  const { status, code, message } = error;
  const type = `https://api.contentgen.test/problems/${code.replaceAll('_', '-')}`;
  const body = { type, title: TITLES[status] ?? 'Error', status, detail: message, code };
  return reply(status, body, 'application/problem+json', headers);
}

function translated(error: unknown): ControlProblem {
  if (error instanceof ControlProblem) return error;
  const code = (error as { code?: unknown } | null)?.code;
  const status = typeof code === 'string' ? STATUS_OF_CODE[code] : undefined;
  if (status !== undefined && error instanceof Error) {
    return new ControlProblem(status, code as string, error.message);
  }
  if (error instanceof TypeError || error instanceof RangeError) {
    return new ControlProblem(422, 'validation_failed', error.message);
  }
  return new ControlProblem(500, 'internal_error', 'Something went wrong in the server.');
}

async function readBody(request: Request, limit: number): Promise<unknown> {
  const tooLarge = new ControlProblem(
    413,
    'payload_too_large',
    `The body has more than ${limit} bytes.`,
  );
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge;
  const body = await request.text();
  if (body.length > limit) throw tooLarge;
  const type = request.headers.get('content-type');
  if (body === '' && type === null) return {};
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ControlProblem(
      415,
      'unsupported_media_type',
      'The body must be sent as application/json.',
    );
  }
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlProblem(400, 'invalid_json', 'The body is not JSON.');
  }
}

export interface ControlSite {
  /** Answers what is under `/_control`; undefined for anything else. */
  handle(request: Request, peer: string | undefined): Promise<Response> | undefined;
  /** Ends the event streams. */
  close(): void;
}

/**
 * The control API over HTTP, for this machine alone unless exposed. `'page'`: it never leaves the page that the mock
 * runs in, so there is no peer and no host to check.
 */
export function controlSite(mock: MockServer, exposure: Exposure | 'page' = false): ControlSite {
  const streams = eventStreams(mock);
  const router = createRouter<{ name: string; run: (call: ControlCall) => unknown }>();
  for (const [name, run] of Object.entries(controlRoutes)) {
    const [method, path] = name.split(' ') as [string, string];
    addRoute(router, method, path, { name, run });
  }
  addRoute(router, 'GET', '/events/stream', { name: 'stream', run: () => undefined });

  function methodsOf(path: string): string[] {
    const methods = ['GET', 'POST', 'PUT', 'DELETE'];
    return methods.filter((method) => findAllRoutes(router, method, path).length > 0);
  }

  async function answer(request: Request, url: URL): Promise<Response> {
    const path = url.pathname.slice('/_control'.length);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = findRoute(router, method, path);
    if (!route) {
      const allowed = methodsOf(path);
      if (allowed.length === 0) throw notFound();
      const error = new ControlProblem(
        405,
        'method_not_allowed',
        `${method} is not possible here.`,
      );
      return problem(error, { allow: allowed.join(', ') });
    }
    const { name, run } = route.data;
    if (name === 'stream') return streams.open(request);
    const body =
      method === 'GET'
        ? {}
        : await readBody(request, name === 'PUT /state' ? STATE_LIMIT : BODY_LIMIT);
    const call = { mock, id: route.params?.['id'] ?? '', query: url.searchParams, body };
    const result = (await run(call)) as ControlAnswer;
    if (method !== 'GET') await mock.flushed();
    if (name === 'PUT /state' || name === 'POST /reset') streams.restart();
    return reply(result.status, result.body);
  }

  return {
    handle(request, peer) {
      const url = new URL(request.url);
      if (url.pathname !== '/_control' && !url.pathname.startsWith('/_control/')) return undefined;
      const refusal =
        exposure === 'page' ? undefined : refusalOf({ peer, headers: request.headers }, exposure);
      if (refusal !== undefined) {
        return Promise.resolve(problem(new ControlProblem(403, 'control_refused', refusal)));
      }
      return answer(request, url).catch((error: unknown) => problem(translated(error)));
    },
    close: streams.close,
  };
}
