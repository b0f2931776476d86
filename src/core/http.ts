import type { Client, Middleware } from 'openapi-fetch';
import type { paths } from '../generated/openapi.ts';
import type { Send } from './http-client.ts';
import { loaded } from './loaded.ts';
import type { Transport } from './send.ts';

/** The typed openapi-fetch client: the same retries, limits, credential and key; error statuses are answers. */
export type HttpClient = Client<paths>;

/** A client that loads openapi-fetch with its first use: most applications never need it. */
export function createHttp(transport: Transport): HttpClient {
  const loading = loaded(import('./http-client.ts')).then((part) =>
    part.createHttpClient(transport),
  );
  // Whoever asks for something is told that it could not load; nobody else.
  const ignore = () => {};
  loading.catch(ignore);
  const request: Send = async (method, path, init) => (await loading).request(method, path, init);
  const http: Record<string, unknown> = {
    request,
    // Before any request that is made later: those wait for the same promise.
    use: (...layers: Middleware[]) => void loading.then((client) => client.use(...layers), ignore),
    eject: (...layers: Middleware[]) =>
      void loading.then((client) => client.eject(...layers), ignore),
  };
  for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']) {
    http[method] = (path: string, init?: Record<string, unknown>) => request(method, path, init);
  }
  return http as unknown as HttpClient;
}
