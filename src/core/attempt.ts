import { ConnectionError } from '../errors.ts';
import { parseJson } from '../options/values.ts';
import type { CallContext } from '../options.ts';
import type { Call } from './call.ts';
import { connectionFailure } from './connection-failure.ts';
import { Deadline } from './deadline.ts';
import type { Failure } from './failure.ts';
import {
  type ByteStream,
  discard,
  misplacedHint,
  parseFailure,
  race,
  readStream,
  readText,
  redirectFailure,
  responseFailure,
} from './read-response.ts';

export interface ReceivedResponse {
  readonly response: Response;
  readonly failure?: Failure;
  /** The body as text; absent for a stream. */
  readonly text?: string;
  /** The JSON value of the body, for a 2xx status. */
  readonly body?: unknown;
  readonly stream?: ByteStream;
}

export type AttemptOutcome =
  | ReceivedResponse
  | { readonly failure: Failure; readonly response?: undefined };

/** For React Native, whose `fetch` cannot stream. */
const cannotStream =
  'This fetch cannot stream. Pass one that can, such as that of expo/fetch, or use generate().';

export async function runAttempt(
  call: Call,
  credential: string,
  deadline: Deadline,
  context: CallContext,
): Promise<AttemptOutcome> {
  const attempt = new Deadline(call.timeout, 'attempt_timeout', deadline);
  let isStreaming = false;
  try {
    const response = await race(dispatch(call, credential, attempt, context), attempt);
    const { ok, status } = response;
    // Following a redirect would send the credential elsewhere. Browsers report its status as 0.
    if (!ok && status < 400) {
      discard(response.body);
      return { failure: redirectFailure(response, call.url) };
    }
    const contentType = response.headers.get('content-type') ?? '';
    if (ok && call.streamTypes?.test(contentType) && response.body !== null) {
      if (!response.body?.getReader) {
        discard(response.body);
        return { failure: responseFailure(response, 'invalid_response', cannotStream) };
      }
      isStreaming = true;
      const stream = readStream(response.body, attempt, call.options);
      attempt.onEnd(() => deadline.close());
      return { response, stream };
    }
    const text = await readText(response, attempt, call.options);
    if (!ok) return { response, text, failure: parseFailure(response, text, call) };
    const { deployment } = call.options;
    const json = parseJson(text);
    const body = deployment ? deployment.toOurs.response(call.operation, json) : json;
    if (call.isValidBody(body, text)) return { response, text, body };
    const expected = call.streamTypes ? 'an event stream' : 'a JSON object';
    const hint = misplacedHint(response, `The response is not ${expected}.`);
    return {
      failure: { ...responseFailure(response, 'invalid_response', hint), body: body ?? text },
    };
  } catch (error) {
    if (attempt.failure) return { failure: attempt.failure };
    if (error instanceof ConnectionError) {
      return { failure: connectionFailure(error.cause, call.url) };
    }
    // An error from the caller's own middleware is passed on unchanged.
    throw error;
  } finally {
    if (!isStreaming) attempt.close();
  }
}

function dispatch(
  call: Call,
  credential: string,
  attempt: Deadline,
  context: CallContext,
): Promise<Response> {
  const { method, url, body, options } = call;
  const { header, prefix } = options.credential;
  const init: RequestInit = {
    method,
    headers: { ...call.headers, [header]: prefix + credential },
    redirect: 'manual',
    ...forFetch(attempt.signal),
    body: body ?? null,
    // A page that is closed still cancels.
    ...(call.operation === 'cancelGeneration' && 'document' in globalThis && { keepalive: true }),
  };
  const connect = async (init: RequestInit, url = call.url) => {
    try {
      // A browser's own `fetch` rejects being called as a method of another object.
      const { fetch } = options;
      const response = await fetch(url, init);
      // A fetch that ignores its signal may respond after the end, when nobody reads the body.
      if (attempt.failure) discard(response.body);
      return response;
    } catch (cause) {
      throw new ConnectionError('Failed to connect.', { code: 'connection_failed', cause });
    }
  };
  if (options.middleware.length === 0) return connect(init);
  const original = new Request(url, init);
  const last = async (request: Request) =>
    connect(await toInit(request, original, init), request.url);
  const first = options.middleware.reduceRight<(request: Request) => Promise<Response>>(
    (next, middleware, index) => async (request) => {
      const fail = (problem: string) => {
        const name = middleware.name && ` (${middleware.name})`;
        throw new TypeError(`middleware[${index}]${name} ${problem}`);
      };
      const pass = async (request: Request) => {
        if (request.bodyUsed) fail('read the body of the request. Read request.clone() instead.');
        return next(request);
      };
      const response = await middleware(request, pass, { ...context, call: call.start });
      if (!response?.headers) fail('must return a Response, for example that of next().');
      if (response.bodyUsed || response.body?.locked) {
        fail('read the body of the response. Read response.clone() instead.');
      }
      return response;
    },
    last,
  );
  return first(original);
}

/** What else middleware can change in a `Request`. A redirect is never followed, whatever middleware says. */
const changeable = [
  'cache',
  'cf',
  'credentials',
  'integrity',
  'keepalive',
  'mode',
  'referrer',
  'referrerPolicy',
] as const;

/** The init for a `fetch` that might be of another realm, such as undici's, and accept no `Request` of this one. */
async function toInit(
  request: Request,
  original: Request,
  init: RequestInit,
): Promise<RequestInit> {
  const { method, headers } = request;
  const all: RequestInit = { ...init, method, headers: Object.fromEntries(headers) };
  if (request !== original) {
    for (const name of changeable as readonly (keyof Request)[]) {
      if (request[name] !== original[name]) Object.assign(all, { [name]: request[name] });
    }
    all.signal = request.signal;
  }
  // Only text is still what the caller passed: a form has got its boundary by now.
  const isUnchanged = request === original && typeof init.body === 'string';
  if (!isUnchanged) all.body = request.body && (await request.arrayBuffer());
  return all;
}

/** The `AbortController` that was tried, and what `Request` accepts. */
let tried: unknown;
let acceptsSignal = false;
let acceptsCache = false;

/**
 * The signal and `no-store`, as far as `fetch` accepts them. In jsdom `AbortController` is replaced, but `Request` is not;
 * an older workerd has no `cache`. Without `no-store`, Next.js 14 responds to each poll with the first response.
 */
function forFetch(signal: AbortSignal): RequestInit {
  if (tried !== AbortController) {
    tried = AbortController;
    const accepts = (init: RequestInit) => {
      try {
        return new Request('http://localhost', init);
      } catch {
        return undefined;
      }
    };
    acceptsSignal = accepts({ signal }) !== undefined;
    // The polyfill of React Native would add a parameter to the URL; its requests have no `cache`.
    acceptsCache = accepts({ cache: 'no-store' })?.cache === 'no-store';
  }
  return {
    signal: acceptsSignal ? signal : null,
    ...(acceptsCache && { cache: 'no-store' }),
  };
}
