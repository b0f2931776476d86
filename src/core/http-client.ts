import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi.ts';
import { operations } from '../generated/operations.ts';
import type { OperationId } from '../types.ts';
import { roundTrip } from './http-round-trip.ts';
import { fillPath } from './path.ts';
import { userAgent } from './runtime.ts';
import type { Transport } from './send.ts';

export type Send = (
  method: string,
  path: string,
  init?: Record<string, unknown>,
) => Promise<unknown>;

/** What `client.http` stands on; loaded with its first use, openapi-fetch along with it. */
export function createHttpClient(transport: Transport) {
  const { options } = transport;
  const client = createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { ...userAgent(), ...options.headers },
    // Ids are checked here as everywhere; the base address may hold no placeholder.
    pathSerializer: (path, params) =>
      options.baseUrl + fillPath(path.slice(options.baseUrl.length), params),
  });
  const request: Send = (method, path, init = {}) => {
    const operation = findOperation(method, path);
    const params = init['params'] as { path?: object } | undefined;
    return (client.request as unknown as Send)(
      method.toLowerCase(),
      (operation && options.paths[operation]) ?? path,
      {
        ...init,
        params: { ...params, path: params?.path ?? {} },
        fetch: (input: Request) => roundTrip(transport, operation, input),
      },
    );
  };
  return { request, use: client.use, eject: client.eject };
}

function findOperation(method: string, path: string): OperationId | undefined {
  const wanted = method.toUpperCase();
  return (Object.keys(operations) as OperationId[]).find(
    (id) => operations[id].method === wanted && operations[id].path === path,
  );
}
