import { Agent, type Dispatcher, EnvHttpProxyAgent, errors, ProxyAgent } from 'undici';
import { defined } from '../known-options.ts';
import * as rules from '../option-rules.ts';
import { ResponseHandler } from './response-handler.ts';

/** Options of `nodeFetch`. */
export interface NodeFetchOptions {
  /**
   * Connections per origin, at least 1. Further calls wait for a free one.
   * @default 64
   */
  readonly connections?: number | undefined;
  /**
   * How long an idle connection is kept in ms, above 0; `false` closes it after each response.
   * @default 30_000
   */
  readonly keepAlive?: number | false | undefined;
  /**
   * URL of a proxy or its `host:port`, or `false` to use no proxy.
   * @default the environment variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case, read when
   * `nodeFetch` is called
   */
  readonly proxy?: string | false | undefined;
  /**
   * A dispatcher of undici 7 or later to send with, for example its `MockAgent` or your own `Agent`. Its limits and
   * connections are yours, so the other options cannot be given with it, and `close()` leaves it open.
   */
  readonly dispatcher?: NodeDispatcher | undefined;
}

/** A dispatcher of undici 7 or later. */
export interface NodeDispatcher {
  /** Starts a request. */
  dispatch(options: never, handler: never): boolean;
}

/** A `fetch` function with its own connections. */
export interface NodeFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Waits for the calls in flight, then closes the connections. Later calls fail at once. */
  close(): Promise<void>;
}

/** A request as undici's dispatcher takes it. */
interface DispatchRequest {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: HeadersInit | undefined;
  readonly body?: string | Uint8Array | null | undefined;
  readonly signal?: AbortSignal | null | undefined;
  readonly redirect?: RequestRedirect | undefined;
}

const proxyAddress = rules.mustBe(
  'the URL of a proxy or its host:port',
  (value) =>
    rules.isText(value) &&
    (value.includes('://') || /:\d+\/?$/.test(value)) &&
    URL.canParse(withScheme(value)),
);

const optionRules: rules.OptionRules<NodeFetchOptions> = {
  connections: rules.integerFrom(1),
  keepAlive: rules.mustBe(
    'a number of milliseconds above 0, or false',
    (value) =>
      value === false || (typeof value === 'number' && value > 0 && value <= rules.longestTimerMs),
  ),
  proxy: (value) => (value === false ? undefined : proxyAddress(value)),
  dispatcher: rules.mustBe(
    'a dispatcher of undici 7 or later',
    (value) => typeof (value as NodeDispatcher | null)?.dispatch === 'function',
  ),
};

/**
 * A faster `fetch` for the client in Node: undici's dispatcher without what only browsers need. Aborts, streams,
 * back-pressure and errors work as with `fetch`. Redirects are never followed and uncompressed responses are requested;
 * there are no caches, cookies, integrity checks or referrers. Its only limit is 10 s to connect; otherwise the
 * client's limits apply.
 *
 * Use it for many small calls from Node. Tools that replace `globalThis.fetch` or undici's global dispatcher, such as
 * MSW or `setGlobalDispatcher(new MockAgent())`, do not see its requests: do not use nodeFetch in such tests, or pass
 * `dispatcher`.
 * @example const client = new ContentGen({ baseUrl, apiKey, fetch: nodeFetch({ connections: 100 }) });
 * @throws TypeError for a wrong or unknown option
 */
export function nodeFetch(options: NodeFetchOptions = {}): NodeFetch {
  const dispatcher = createDispatcher(options);
  let closed: Promise<void> | undefined;
  const send = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (closed) {
      const cause = new errors.ClientClosedError('close() of this nodeFetch was called.');
      throw new TypeError('Failed to fetch: this nodeFetch is closed.', { cause });
    }
    const request = await toDispatchRequest(input, init);
    request.signal?.throwIfAborted();
    const response = await dispatch(dispatcher, request, options.keepAlive === false);
    if (request.redirect !== 'manual' && /^30[12378]$/.test(`${response.status}`)) {
      await response.body?.cancel();
      throw new TypeError(
        "Failed to fetch: redirects are not followed. Pass redirect: 'manual' to receive them.",
      );
    }
    return response;
  };
  const close = () => {
    if (options.dispatcher) return Promise.resolve();
    closed ??= dispatcher.close();
    return closed;
  };
  return Object.assign(send, { close });
}

function createDispatcher(options: NodeFetchOptions): Dispatcher {
  const {
    connections = 64,
    keepAlive = 30_000,
    proxy,
    dispatcher,
  } = rules.checkOptions(options, optionRules);
  if (dispatcher) {
    const others = Object.entries(options).filter(([, value]) => value !== undefined);
    if (others.length > 1) throw new TypeError('Pass dispatcher without other options.');
    return dispatcher as unknown as Dispatcher;
  }
  const agent = {
    connections,
    // The caller's limits apply instead: undici's own 300 s would end a slow generation.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepAlive !== false && { keepAliveTimeout: keepAlive }),
  };
  if (typeof proxy === 'string') return new ProxyAgent({ ...agent, uri: withScheme(proxy) });
  const [httpProxy, httpsProxy] = proxy === false ? [] : ['http_proxy', 'https_proxy'].map(fromEnv);
  if (!httpProxy && !httpsProxy) return new Agent(agent);
  return new EnvHttpProxyAgent({ ...agent, ...defined({ httpProxy, httpsProxy }) });
}

/** @throws TypeError that names the variable, never its value, which can have a password */
function fromEnv(name: string): string | undefined {
  const value = process.env[name] ?? process.env[name.toUpperCase()];
  if (!value) return value;
  const problem = proxyAddress(value);
  if (problem) throw new TypeError(`${name} ${problem}`);
  return withScheme(value);
}

/** Many proxies are given as `host:port`, which `URL` takes for a scheme. */
const withScheme = (proxy: string): string => (proxy.includes('://') ? proxy : `http://${proxy}`);

/** Dispatches a request. `reset` closes its connection afterwards. */
function dispatch(
  dispatcher: Dispatcher,
  { url, method = 'GET', headers, body, signal }: DispatchRequest,
  reset: boolean,
): Promise<Response> {
  const { origin, pathname, search, protocol, username } = new URL(url);
  if (!/^https?:$/.test(protocol) || username) {
    throw new TypeError('Failed to fetch: the URL must be http or https, without credentials.');
  }
  return new Promise<Response>((resolve, reject) => {
    dispatcher.dispatch(
      {
        origin,
        path: pathname + search,
        method: method.toUpperCase() as Dispatcher.HttpMethod,
        headers: toHeaderRecord(headers, body),
        body: body ?? null,
        ...(reset && { reset }),
      },
      new ResponseHandler(url, signal ?? undefined, resolve, reject),
    );
  });
}

/** Creates a `Request` only if it is needed, because that costs more than the rest of a call. */
async function toDispatchRequest(
  input: string | URL | Request,
  init: RequestInit,
): Promise<DispatchRequest> {
  if (!(input instanceof Request) && isSimpleBody(init.body)) {
    return { ...init, url: String(input), body: init.body };
  }
  const request = new Request(input as string | Request, init);
  const { url, method, headers, signal, redirect } = request;
  const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined;
  return { url, method, headers, signal, redirect, body };
}

const isSimpleBody = (body: unknown): body is string | Uint8Array | null | undefined =>
  body === undefined || body === null || typeof body === 'string' || body instanceof Uint8Array;

function toHeaderRecord(
  headers: HeadersInit | undefined,
  body: string | Uint8Array | null | undefined,
): Record<string, string> {
  const record: Record<string, string> = {};
  if (headers && Symbol.iterator in headers) {
    for (const [name, value] of headers) {
      const key = name.toLowerCase();
      record[key] = key in record ? `${record[key]}, ${value}` : value;
    }
  } else if (headers) {
    for (const name of Object.keys(headers)) {
      record[name.toLowerCase()] = String((headers as Record<string, string>)[name]);
    }
  }
  if (typeof body === 'string') record['content-type'] ??= 'text/plain;charset=UTF-8';
  record['accept'] ??= '*/*';
  // A compressed response would need a stream: see `ResponseHandler`.
  record['accept-encoding'] ??= 'identity';
  return record;
}
