import { ConnectionError } from '../errors.ts';
import { type CallContext, type Fetch, isSecret } from '../options.ts';
import type { Call } from './call.ts';
import { AttemptFailed, type ByteStream, drop, Exchange } from './exchange.ts';
import type { Failure } from './failure.ts';
import { failureOf, isObject, parseFailure, parseJson } from './parse.ts';
import type { Scope } from './scope.ts';

/** What came of an attempt: a response, a failure, or both for an error status. */
export interface Outcome {
  readonly failure?: Failure;
  readonly response?: Response;
  /** The text of the body, unless it is a stream. */
  readonly raw?: string;
  /** The same parsed, where JSON is expected. */
  readonly body?: unknown;
  readonly stream?: ByteStream;
}

/** Sends a call once and reads the answer under the limits of an attempt. */
export async function runAttempt(call: Call, scope: Scope, context: CallContext): Promise<Outcome> {
  const { options, own, expects } = call;
  const { idleTimeout } = options;
  const exchange = new Exchange(scope, own.timeout ?? options.timeout);
  try {
    const response = await exchange.race(dispatch(call, exchange, context));
    // A redirect; browsers hide its status behind 0.
    if (!response.ok && response.status < 400) {
      drop(response.body);
      const hint = 'It would carry the credential elsewhere: correct baseUrl or paths.';
      return { failure: failureOf(response, 'unexpected_redirect', hint) };
    }
    if (response.ok && isStream(expects, response) && response.body) {
      return { response, stream: exchange.stream(response.body, idleTimeout) };
    }
    const raw = await exchange.text(response, idleTimeout);
    if (!response.ok) return { response, raw, failure: parseFailure(response, raw) };
    const body = expects === 'nothing' ? undefined : parseJson(raw);
    const fits = {
      json: isObject(body),
      nothing: true,
      stream: false,
      any: body !== undefined || raw === '',
      raw: true,
    };
    if (fits[expects]) return { response, raw, body };
    const hint = 'Check that baseUrl names the service.';
    return { failure: failureOf(response, 'invalid_response', hint) };
  } catch (error) {
    if (error instanceof AttemptFailed) return error;
    if (exchange.failure) return { failure: exchange.failure };
    // A middleware's own error is the caller's: it passes as it is.
    if (!(error instanceof ConnectionError)) throw error;
    return { failure: { code: error.code, cause: error.cause } };
  } finally {
    exchange.close();
  }
}

function isStream(expects: Call['expects'], { headers }: Response): boolean {
  const type = headers.get('content-type') ?? '';
  if (expects === 'stream') return /^text\/event-stream\b/i.test(type);
  return expects === 'raw' && !/\bjson\b/i.test(type);
}

async function dispatch(call: Call, exchange: Exchange, context: CallContext): Promise<Response> {
  const { method, url, body, options } = call;
  const { credential, middleware } = options;
  const { header, prefix, value } = credential;
  const secret = typeof value === 'string' ? value : await ask(value);
  const init: RequestInit = {
    method,
    headers: { ...call.headers, [header]: prefix + secret },
    redirect: 'manual',
    signal: exchange.signal,
    ...(body !== undefined && { body }),
  };
  const connect: Fetch = async (input, init) => {
    try {
      const response = await options.fetch(input, init);
      // A fetch that ignores its signal answers after the end: nobody will read that body.
      if (exchange.failure) drop(response.body);
      return response;
    } catch (cause) {
      throw new ConnectionError('Failed to connect: fetch rejected.', {
        code: 'connection_failed',
        cause,
      });
    }
  };
  if (middleware.length === 0) return connect(url, init);
  const layer =
    (index: number) =>
    async (request: Request): Promise<Response> => {
      const run = middleware[index];
      return run ? run(request, layer(index + 1), context) : connect(request);
    };
  return layer(0)(new Request(url, init));
}

async function ask(give: () => string | Promise<string>): Promise<string> {
  let cause: unknown;
  try {
    const value: unknown = await give();
    if (isSecret(value)) return value;
  } catch (error) {
    cause = error;
  }
  const hint = 'The function given as apiKey or accessToken must give visible ASCII characters.';
  throw new AttemptFailed({ code: 'credential_unavailable', cause, hint });
}
