import * as msw from 'msw';
import { handleAbortably } from '../api/create-fetch.ts';
import { type Internals, internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { whyNoneIntercepted } from './why-none-intercepted.ts';

// MSW 1 has no `http`. A named import of it would fail while modules are linked, before anything could say why.
const { http } = msw;
if (!http) {
  throw new Error(
    'contentgen/mock/{msw,node,browser} need msw 2 or later. Install it: npm install --save-dev msw@latest.',
  );
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * Returns MSW handlers that respond as the service does: one per operation and prefix, then one for every other
 * address under the base URL. Without a path in the base URL, which can then be the origin of the page itself, only
 * addresses under the first segments of the contract's paths are handled. A navigation never is.
 *
 * Works with msw 2.12 or later and with msw 3. `server.use()` overrides single operations as usual.
 *
 * @example
 * ```ts
 * import { createMockServer } from 'contentgen/mock';
 * import { mswHandlers } from 'contentgen/mock/msw';
 * import { setupServer } from 'msw/node';
 *
 * const mock = createMockServer();
 * setupServer(...mswHandlers(mock)).listen();
 * ```
 */
export function mswHandlers(mock: MockServer): msw.HttpHandler[] {
  const internals = internalsOf(mock);
  const base = mock.baseUrl.replace(/\/$/, '').replace(/\/v2$/, '');
  const unfit = whyNoneIntercepted();
  if (unfit) internals.warn(unfit);
  let saidClosed = false;
  const respond = async ({ request }: { request: Request }) => {
    // The page itself: undefined passes it on.
    if (request.mode === 'navigate') return undefined;
    if (isRefusedByBrowsers(request)) return msw.HttpResponse.error();
    if (isPreflight(request)) return respondToPreflight();
    // MSW passes on that a call failed, but not why.
    if (internals.isClosed && !saidClosed) internals.warn(CLOSED);
    saidClosed = internals.isClosed;
    return withFraming(await handleAbortably(request, internals.handle).catch(gone(request)));
  };
  const operations = internals.routes.map(({ method, path }) =>
    http[method.toLowerCase() as Method](base + path, respond),
  );
  const hasPath = new URL(base).pathname !== '/';
  const others = (hasPath ? [''] : prefixesOf(internals.routes)).flatMap((prefix) => [
    http.all(`${base}${prefix}/*`, respond),
    http.all(`${base}${prefix}`, respond),
  ]);
  const jwks = hasPath ? [] : [http.all(`${base}/.well-known/jwks.json`, respond)];
  return [...operations, ...others, ...jwks];
}

/** What the paths begin with: `/api`, `/v2/api`, `/api-keys` and `/v2/api-keys`. */
function prefixesOf(routes: Internals['routes']): string[] {
  const prefixes = routes.map(({ path }) => /^(?:\/v2)?\/[^/]+/.exec(path)?.[0] ?? path);
  return [...new Set(prefixes)];
}

/**
 * A page may not read a response from another origin that allows every origin, if it sent its cookies along. MSW answers in
 * front of that check.
 */
function isRefusedByBrowsers({ credentials, url }: Request): boolean {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  return credentials === 'include' && !!location && new URL(url).origin !== location.origin;
}

/** happy-dom names no method in its preflights. They carry no credentials either way. */
const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && !headers.has('x-api-key') && !headers.has('authorization');

const respondToPreflight = (): Response =>
  new msw.HttpResponse(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': '*, Authorization',
    },
  });

const CLOSED =
  'The mock server was closed, and its handlers still get calls, which fail. Create another one and pass its handlers to MSW.';

/** A caller that aborted has its error already; MSW would print the one of a handler as unexpected. */
const gone =
  ({ signal }: Request) =>
  (error: unknown): Response => {
    if (signal.aborted) return msw.HttpResponse.error();
    throw error;
  };

/** Without a length or chunks, a body ends when its connection does, so a broken body would look complete. */
function withFraming(response: Response): Response {
  const { body, headers } = response;
  if (body && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked');
  return response;
}
