import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../generated/openapi.ts';
import { operations } from '../generated/operations.ts';
import { resolveCallOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { AttemptFailed } from './exchange.ts';
import { toError } from './failure.ts';
import { fillPath } from './path.ts';
import { randomKey, userAgent } from './runtime.ts';
import { type Answer, send, type Transport } from './send.ts';

/** The typed openapi-fetch client: the same retries, limits, credential and key; error statuses are answers. */
export type HttpClient = Client<paths>;

type Send = (method: string, path: string, init?: Record<string, unknown>) => Promise<unknown>;

export function createHttp(transport: Transport): HttpClient {
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
  const http: Record<string, unknown> = { ...client, request };
  for (const method of Object.keys(client)) {
    if (method === method.toUpperCase()) {
      http[method] = (path: string, init?: Record<string, unknown>) => request(method, path, init);
    }
  }
  return http as unknown as HttpClient;
}

function findOperation(method: string, path: string): OperationId | undefined {
  const wanted = method.toUpperCase();
  return (Object.keys(operations) as OperationId[]).find(
    (id) => operations[id].method === wanted && operations[id].path === path,
  );
}

async function roundTrip(
  transport: Transport,
  operation: OperationId | undefined,
  request: Request,
): Promise<Response> {
  const { method, url, signal, body } = request;
  const limits = resolveCallOptions(undefined, transport.options.limits);
  const headers = Object.fromEntries(request.headers);
  if (method === 'POST') headers['idempotency-key'] ??= randomKey();
  const answer = await send(transport, {
    operation,
    method,
    url,
    headers,
    body: body ? await request.text() : undefined,
    expects: 'anything',
    limits,
    signal,
    idempotencyKey: headers['idempotency-key'],
  });
  return toResponse(answer);
}

/** The answer as a `Response` again: its body was read, or is being read, under the limits of the call. */
function toResponse({ response, text, stream, scope }: Answer): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  if (!stream) return new Response(text, { status, statusText, headers });
  const end = () => {
    stream.close();
    scope.close();
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const bytes = await stream.read();
        if (bytes) return controller.enqueue(bytes);
        controller.close();
      } catch (error) {
        controller.error(error instanceof AttemptFailed ? toError(error.failure, {}) : error);
      }
      end();
    },
    cancel: end,
  });
  return new Response(body, { status, statusText, headers });
}
