import { type HttpHandler, http } from 'msw';
import { answerAbortably } from '../api/abortable.ts';
import type { MockServer } from '../mock-server.ts';

/** What the handlers need of a mock. */
export type MockedService = Pick<MockServer, 'baseUrl' | 'handle' | 'routes'>;

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/**
 * MSW handlers that answer as the service does: one per operation and prefix, and last one for all other addresses
 * under the base URL.
 *
 * Works with msw 2.12 and later and with msw 3. `server.use()` overrides single operations as usual.
 */
export function mswHandlers(mock: MockedService): HttpHandler[] {
  const base = mock.baseUrl.replace(/\/$/, '').replace(/\/v2$/, '');
  const answer = async ({ request }: { request: Request }) =>
    framed(await answerAbortably(request, mock.handle));
  const operations = mock.routes.map(({ method, path }) =>
    http[method.toLowerCase() as Method](base + path, answer),
  );
  return [...operations, http.all(`${base}/*`, answer), http.all(base, answer)];
}

/** A body of unknown length ends with its connection: unless it comes in chunks, one that breaks off looks whole. */
function framed(response: Response): Response {
  const { body, headers } = response;
  if (body && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked');
  return response;
}
