import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { Deployment } from '../deployment-port.ts';
import type { paths } from '../generated/openapi.ts';
import { routes } from '../generated/routes.ts';
import type { CallStart, ResolvedOptions } from '../options.ts';
import { randomKey } from '../platform/driver.ts';
import type { OperationId } from '../types.ts';
import type { Call, CallSettings, RequestParts } from './call.ts';
import { assertNoCredential, assertOption, idempotencyKey } from './client-rules.ts';
import { retrace, toError } from './failure.ts';
import { AttemptFailed, parseJson, toReadableStream } from './read-response.ts';
import { queryAsText } from './request-values.ts';
import { type CallResult, sendObserved } from './send.ts';

// openapi-fetch builds every request: its URL, query, headers and body. It expects the platform's `Request` and
// `Response`, but creating both costs as much as the rest of a call. So it gets a `PlainRequest` and a `PlainResponse`,
// which have only the members that it uses. Its methods are also typed per path, while the code here handles any path.
// Every cast in this file has one of these two reasons, and no other file needs a cast for openapi-fetch.

// Exported, so that TypeScript can name the type of `export const { GET } = client.http` where openapi-fetch is not in
// the application's own node_modules, as with pnpm.
export type { ClientMethod as HttpMethod, Middleware as HttpMiddleware } from 'openapi-fetch';

/** The typed openapi-fetch client on the same transport: same retries, limits, credential and idempotency keys. */
export type HttpClient = Client<paths>;

/** Builds a request with openapi-fetch and sends it as one logical call. */
export type Requester = (
  options: ResolvedOptions,
  method: string,
  path: string,
  init: RequesterInit,
  settings: CallSettings,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly result: CallResult }>;

export interface RequesterInit {
  readonly params?: { readonly path?: object | undefined; readonly query?: object | undefined };
  readonly body?: object | null | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

/** The options of a call of `client.http` that decide whether it needs a real `Request` and `Response`. */
interface HttpInit {
  readonly params?: { readonly path?: object; readonly query?: object };
  readonly parseAs?: string;
  readonly middleware?: readonly Middleware[];
  readonly bodySerializer?: unknown;
}

type UntypedRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

const notJson = /^(?!.*\bjson\b)/i;
const isJson = (body: unknown, text: string) => body !== undefined || text === '';

/** The requester of the resource methods. */
export function createRequester(): Requester {
  return requesterOf(createFetchClient());
}

/** Makes `client.http`. An error status is a result here, as usual with openapi-fetch. */
export function createHttpClient(resolve: () => ResolvedOptions): HttpClient {
  const client = createFetchClient();
  const plainRequest = requesterOf(client);
  let hasMiddleware = false;
  const request = async (method: string, path: string, init: HttpInit = {}) => {
    const options = resolve();
    const operation = operationOf(method, path);
    const target = (operation && options.deployment?.path(operation)) ?? path;
    // Without `params`, openapi-fetch would leave the placeholders in the path.
    const { path: ids = {}, query } = init.params ?? {};
    const params = { ...init.params, path: ids, query: query && queryAsText(query) };
    const complete = { ...init, params };
    const settings = { operation, returnErrorResponses: true };
    const { middleware, parseAs = 'json', bodySerializer } = init;
    if (hasMiddleware || middleware || parseAs !== 'json' || bodySerializer) {
      return (client.request as UntypedRequest)(method, target, {
        ...complete,
        baseUrl: options.baseUrl,
        Request,
        fetch: (request: Request) => roundTrip(options, request, settings),
      });
    }
    const jsonSettings = { ...settings, isValidBody: isJson };
    const { data, error, result } = await plainRequest(
      options,
      method,
      target,
      complete,
      jsonSettings,
    );
    return { data, error, response: result.response };
  };
  const http: Record<string, unknown> = {
    ...client,
    request,
    use: (...middleware: Middleware[]) => {
      client.use(...middleware);
      hasMiddleware = true;
    },
  };
  for (const name of Object.keys(client)) {
    if (/^[A-Z]/.test(name))
      http[name] = (path: string, init?: HttpInit) => request(name, path, init);
  }
  return http as unknown as HttpClient;
}

function createFetchClient() {
  return createClient<paths>({
    pathSerializer: fillPath,
    Request: PlainRequest as unknown as typeof Request,
  });
}

function requesterOf(client: Client<paths>): Requester {
  return async (options, method, path, init, settings) => {
    let failure: { readonly error: unknown } | undefined;
    const transport = async (request: PlainRequest) => {
      try {
        return plainResponse(await sendObserved(prepareCall(options, request, settings)));
      } catch (error) {
        failure = { error };
        throw error;
      }
    };
    try {
      const { data, error, response } = await (client.request as UntypedRequest)(method, path, {
        ...inTheirNames(init, options.deployment, settings.operation),
        baseUrl: options.baseUrl,
        fetch: transport,
        // The body of a `PlainResponse` is already parsed.
        parseAs: 'stream',
      });
      return { data, error, result: (response as unknown as PlainResponse).result };
    } catch (error) {
      // openapi-fetch passes a thrown value on only if it is truthy.
      throw retrace(failure ? failure.error : error);
    }
  };
}

/** The query and body of a request in the names of the deployment. */
function inTheirNames(
  init: RequesterInit,
  deployment: Deployment | undefined,
  operation: OperationId | undefined,
): RequesterInit {
  if (!deployment || !operation) return init;
  const { params, body } = init;
  const { toTheirs } = deployment;
  const query = toTheirs.query(operation, params?.query);
  return { ...init, params: { ...params, query }, body: toTheirs.request(operation, body) };
}

/** A generation can take minutes; everything else is a lookup. */
const defaultTimeout = (operation: OperationId | undefined): number =>
  operation === 'generateContent' ? 600_000 : 60_000;

const keyHeader = 'idempotency-key';

/**
 * Prepares a call: applies the client's defaults and adds an idempotency key to every POST.
 * @throws OperationAbsentError `operation_absent`
 * @throws TypeError for a credential or an invalid idempotency key among the headers
 */
function prepareCall(
  options: ResolvedOptions,
  request: RequestParts,
  settings: CallSettings,
): Call {
  const { url, method } = request;
  const { operation } = settings;
  const { deployment } = options;
  const idempotency = deployment ? deployment.idempotencyHeader : keyHeader;
  if (operation && deployment?.has(operation) === false) {
    throw toError({ code: 'operation_absent' }, { operation });
  }
  let headers: Record<string, string> = {
    ...settings.defaultHeaders,
    ...options.headers,
    ...Object.fromEntries(request.headers),
  };
  assertNoCredential(headers, options.credential.header, 'Use client.withOptions({ apiKey }).');
  let isKeyGenerated = false;
  let key: string | undefined;
  if (method === 'POST') {
    const { [keyHeader]: given, ...rest } = headers;
    headers = rest;
    if (idempotency) {
      isKeyGenerated = given === undefined;
      key = given ?? randomKey();
      if (key === undefined) throw new TypeError(noRandomness);
      assertOption('Idempotency-Key', key, idempotencyKey);
      headers[idempotency.toLowerCase()] = key;
    }
  }
  const body = request.body ?? undefined;
  const start: CallStart = Object.freeze({
    operation,
    method,
    url,
    idempotencyKey: key,
    isKeyGenerated,
    body: typeof body === 'string' ? body : undefined,
    fields: {
      webhookUrl: deployment?.requestField('webhookUrl') ?? 'webhookUrl',
      metadata: deployment?.requestField('metadata') ?? 'metadata',
    },
  });
  return {
    ...settings,
    options,
    method,
    url,
    headers,
    idempotencyKey: key,
    start,
    body,
    secrets: promptsOf(start.body, deployment?.requestField('prompt')),
    signal: request.signal ?? undefined,
    timeout: settings.timeout ?? options.timeout ?? defaultTimeout(settings.operation),
    deadline: settings.deadline ?? options.deadline,
    maxRetries: settings.maxRetries ?? options.maxRetries,
  };
}

/** What the caller wrote in a body; texts of a few words, such as a model, are not secret unless they are the prompt. */
function promptsOf(body: string | undefined, prompt = 'prompt'): string[] {
  const fields = Object.entries(Object(body && parseJson(body)));
  return fields.flatMap(([name, value]) => {
    if (typeof value !== 'string' || /^https?:/.test(value)) return [];
    return name === prompt || value.length >= 40 ? [value] : [];
  });
}

const noRandomness =
  'Idempotency keys need crypto.getRandomValues. Import react-native-get-random-values first, or pass idempotencyKey.';

/** In place of a `Request`. */
class PlainRequest implements RequestParts {
  declare readonly url: string;
  declare readonly method: string;
  declare readonly headers: Headers;
  declare readonly body: RequestParts['body'];
  declare readonly signal: RequestParts['signal'];

  constructor(url: string, init: Omit<RequestParts, 'url'>) {
    Object.assign(this, init, { url });
  }
}

/** In place of a `Response`: the members that openapi-fetch reads. The body is its JSON value. */
interface PlainResponse extends Pick<Response, 'ok' | 'status' | 'headers' | 'text'> {
  readonly result: CallResult;
  readonly body: unknown;
}

function plainResponse(result: CallResult): PlainResponse {
  const { body, text = '' } = result;
  const { ok, status, headers } = result.response;
  return { result, ok, status, headers, body, text: async () => text };
}

const operationOf = (method: string, path: string): OperationId | undefined => {
  const route = `${method.toUpperCase()} ${path}`;
  return (Object.keys(routes) as OperationId[]).find((id) => routes[id] === route);
};

/** The `fetch` for middleware and `parseAs`, which need a real `Request` and `Response`. */
async function roundTrip(
  options: ResolvedOptions,
  request: Request,
  settings: Pick<CallSettings, 'operation' | 'returnErrorResponses'>,
): Promise<Response> {
  const { url, method, headers, signal } = request;
  const body = request.body ? await request.text() : undefined;
  const call = prepareCall(
    options,
    { url, method, headers, signal, body },
    { ...settings, isValidBody: () => true, streamTypes: notJson },
  );
  return toResponse(await sendObserved(call));
}

/** A `Response` with the body of a result, which was read, or is still being read, under the limits of the call. */
function toResponse({ response, text, stream, call, end }: CallResult): Response {
  if (response.body === null) return response;
  if (!stream) return new Response(text ?? null, response);
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

/**
 * Fills the `{name}` placeholders of a path with percent-encoded ids.
 * @throws TypeError for an id that is not a string, or is empty, `.` or `..`: it would reach another endpoint
 */
export function fillPath(template: string, params: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(.+?)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value !== 'string' || /^\.{0,2}$|\p{Surrogate}/u.test(value)) {
      throw new TypeError(`${name} must be an id: a string other than "", "." and "..".`);
    }
    return encodeURIComponent(value);
  });
}
