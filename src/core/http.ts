import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from '../generated/openapi.ts';
import { routes } from '../generated/routes.ts';
import type { ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import type { CallSettings, RequestParts } from './call.ts';
import { retrace, toError } from './failure.ts';
import { prepareCall } from './prepare-call.ts';
import { AttemptFailed, toReadableStream } from './read-response.ts';
import { fillPath, inTheirNames } from './request-url.ts';
import { queryAsText } from './request-values.ts';
import { type CallResult, sendObserved } from './send.ts';

// Exported, so that TypeScript can name the type of `export const { GET } = client.http` where openapi-fetch is not in
// the application's own node_modules, as with pnpm.
export type { ClientMethod as HttpMethod, Middleware as HttpMiddleware } from 'openapi-fetch';

/** The typed openapi-fetch client on the same transport: same retries, limits, credential and idempotency keys. */
export type HttpClient = Client<paths>;

interface HttpInit {
  readonly params?: { readonly path?: object; readonly query?: object };
  readonly body?: object | null | undefined;
  readonly parseAs?: string;
  readonly middleware?: readonly Middleware[];
  readonly signal?: AbortSignal;
}

/** openapi-fetch types its methods per path, while the code here handles any path. */
interface UntypedClient extends Pick<Client<paths>, 'use' | 'eject'> {
  request(method: string, path: string, init: object): Promise<{ readonly response: Response }>;
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];
const notJson = /^(?!.*\bjson\b)/i;
const isJson = (body: unknown, text: string) => body !== undefined || text === '';

export function createHttpClient(resolve: () => ResolvedOptions): HttpClient {
  let made: UntypedClient | undefined;
  // Made when it is needed: making it loads the platform's `Request`.
  const client = () => {
    made ??= createClient<paths>({ pathSerializer: fillPath }) as unknown as UntypedClient;
    return made;
  };
  let hasMiddleware = false;
  const request = async (method: string, path: string, init: HttpInit = {}) => {
    const options = resolve();
    const { deployment } = options;
    const operation = operationOf(method, path);
    const { parseAs = 'json', middleware, signal, ...rest } = init;
    // Middleware, and who asks for another form, gets any body.
    const isAny = hasMiddleware || middleware !== undefined || parseAs !== 'json';
    const settings: CallSettings = {
      operation,
      signal,
      returnErrorResponses: true,
      isValidBody: isAny ? () => true : isJson,
      streamTypes: isAny ? notJson : undefined,
    };
    const { path: ids = {}, query, ...others } = rest.params ?? {};
    const named = inTheirNames(deployment, operation, query && queryAsText(query), rest.body);
    let received: Response | undefined;
    const fetch = async (request: Request | Parts) => {
      const parts = request instanceof Parts ? request : await partsOf(request);
      const result = await sendObserved(prepareCall(options, parts, settings));
      received = result.response;
      return isAny ? toResponse(result) : readResponse(result);
    };
    try {
      const result = await client().request(
        method,
        (operation && deployment?.path(operation)) ?? path,
        {
          ...rest,
          // Without ids, openapi-fetch would leave the placeholders in the path.
          params: { ...others, path: ids, query: named.query },
          body: named.body,
          parseAs,
          middleware,
          baseUrl: options.baseUrl,
          // Only middleware needs the platform's.
          Request: isAny ? Request : Parts,
          fetch,
        },
      );
      return isAny || !received ? result : { ...result, response: received };
    } catch (error) {
      throw retrace(error);
    }
  };
  const http: Record<string, unknown> = {
    request,
    use(...middleware: Middleware[]) {
      client().use(...middleware);
      hasMiddleware = true;
    },
    eject: (...middleware: Middleware[]) => client().eject(...middleware),
  };
  for (const name of methods) {
    http[name] = (path: string, init?: HttpInit) => request(name, path, init);
  }
  return http as unknown as HttpClient;
}

const operationOf = (method: string, path: string): OperationId | undefined => {
  const route = `${method.toUpperCase()} ${path}`;
  return (Object.keys(routes) as OperationId[]).find((id) => routes[id] === route);
};

/** What is read of a request without middleware: a `Request` costs as much as the rest of a call. */
class Parts implements RequestParts {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;

  constructor(url: string, init: { method: string; headers: Headers; body?: string | undefined }) {
    this.url = url;
    this.method = init.method;
    this.headers = Object.fromEntries(init.headers);
    this.body = init.body;
  }
}

function readResponse(result: CallResult) {
  const { status, ok, headers } = result.response;
  const text = textOf(result);
  return { status, ok, headers, text: async () => text, json: async () => JSON.parse(text) };
}

const textOf = ({ text = '', body, call }: CallResult): string =>
  call.options.deployment && body !== undefined ? JSON.stringify(body) : text;

/** The signal is not among them: in jsdom, `Request` does not accept it. */
async function partsOf(request: Request): Promise<RequestParts> {
  const { url, method } = request;
  const headers = Object.fromEntries(request.headers);
  if (/^(GET|HEAD)$/.test(method)) return { url, method, headers };
  // A form is not text. React Native has no `body`.
  const { 'content-type': type = 'text' } = headers;
  const body = /json|text|urlencoded/.test(type)
    ? await request.text()
    : await request.arrayBuffer();
  return { url, method, headers, body: body || undefined };
}

/** A `Response` with the body of a result, which was read, or is still being read, under the limits of the call. */
function toResponse(result: CallResult): Response {
  const { response, stream, call, end } = result;
  if (response.body === null) return response;
  if (!stream) return new Response(textOf(result), response);
  const close = (error?: unknown) => {
    stream.close();
    end?.({ error });
  };
  const read = async () => {
    try {
      const bytes = await stream.read();
      if (!bytes) close();
      return bytes;
    } catch (cause) {
      const error = cause instanceof AttemptFailed ? toError(cause.failure, call) : cause;
      close(error);
      throw error;
    }
  };
  return new Response(
    toReadableStream(read, () => close()),
    response,
  );
}
