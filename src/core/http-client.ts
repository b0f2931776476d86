import type { Middleware } from 'openapi-fetch';
import type { ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import type { AttemptFailed } from './attempt-io.ts';
import type { CallInit } from './call.ts';
import type { HttpClient } from './http.ts';
import type { PackedKit } from './kit.ts';
import type { Send } from './request.ts';
import type { Answer } from './send.ts';
import { type Kit, unpack } from './unpack.ts';

/** What decides whether a call of `client.http` can do without a real `Request` and a second `Response`. */
interface Init {
  readonly params?: { readonly path?: object };
  readonly parseAs?: string;
  readonly middleware?: readonly Middleware[];
  readonly bodySerializer?: unknown;
}

const notJson = /^(?!.*\bjson\b)/i;
const isJson = (body: unknown, raw: string) => body !== undefined || raw === '';

/** What `client.http` stands on; loaded with its first use. */
export function createHttpClient(packed: PackedKit, options: ResolvedOptions): HttpClient {
  const kit = unpack(packed);
  const { Call, createRequester, routes } = kit;
  const client = createRequester(options, { headers: options.headers });
  let layered = false;
  const request = async (method: string, path: string, init: Init = {}) => {
    const route = `${method.toUpperCase()} ${path}`;
    const operation = (Object.keys(routes) as OperationId[]).find((id) => routes[id] === route);
    const { middleware, parseAs = 'json', bodySerializer, params } = init;
    const real = layered || middleware || parseAs !== 'json' || bodySerializer;
    const facts = { options, own: {}, operation, plain: true } as const;
    const { data, error, response } = await (client.request as unknown as Send)(
      method,
      (operation && options.paths[operation]) ?? path,
      {
        ...init,
        params: { ...params, path: params?.path ?? {} },
        ...(real
          ? { Request, fetch: (request: Request) => roundTrip(kit, request, facts) }
          : { ...facts, Request: Call, fetch: undefined, fits: isJson, parseAs: 'stream' }),
      },
    );
    return { data, error, response: real ? response : response.response };
  };
  const http: Record<string, unknown> = {
    ...client,
    request,
    use: (...layers: Middleware[]) => {
      client.use(...layers);
      layered = true;
    },
  };
  for (const method in client) {
    if (/[A-Z]/.test(method)) http[method] = request.bind(null, method);
  }
  return http as unknown as HttpClient;
}

/** The `fetch` under `client.http` where middleware or `parseAs` need the real thing. */
async function roundTrip(
  kit: Kit,
  request: Request,
  facts: Pick<CallInit, 'options' | 'own' | 'operation' | 'plain'>,
): Promise<Response> {
  const { url, method, headers, signal, body } = request;
  const text = body ? await request.text() : undefined;
  const init = {
    ...facts,
    method,
    headers,
    signal,
    body: text,
    fits: () => true,
    streams: notJson,
  };
  return toResponse(kit, await kit.send(new kit.Call(url, init)));
}

/** The answer as a `Response` again: its body was read, or is being read, under the limits of the call. */
function toResponse({ toError }: Kit, { response, raw, stream, scope, call }: Answer): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  if (!stream) return new Response(raw, { status, statusText, headers });
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
        const { failure } = Object(error) as Partial<AttemptFailed>;
        controller.error(failure ? toError(failure, call) : error);
      }
      end();
    },
    cancel: end,
  });
  return new Response(body, { status, statusText, headers });
}
