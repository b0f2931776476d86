import { ConnectionError } from '../errors.ts';
import { type CallContext, type Fetch, isSecret } from '../options.ts';
import { type ByteStream, createExchange, drop, type Exchange } from './attempt-io.ts';
import type { Call } from './call.ts';
import type { Scope } from './deadline.ts';
import type { Failure } from './failure.ts';
import { failureOf, parseFailure, parseJson } from './parse.ts';

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
  const { options, own, streams } = call;
  const exchange = createExchange(scope, own.timeout ?? options.timeout, options.idleTimeout);
  try {
    const response = await exchange.race(dispatch(call, exchange, context));
    const { ok } = response;
    // A redirect would carry the credential elsewhere; browsers hide its status behind 0.
    if (!ok && response.status < 400) {
      drop(response.body);
      return { failure: failureOf(response, 'unexpected_redirect') };
    }
    // The body comes last: whoever asks `contentgen/node` for it gets a stream made of what is there.
    if (ok && streams?.test(response.headers.get('content-type') ?? '') && response.body) {
      return { response, stream: exchange.stream(response.body) };
    }
    const raw = await exchange.text(response);
    if (!ok) return { response, raw, failure: parseFailure(response, raw) };
    const body = parseJson(raw);
    if (call.fits(body, raw)) return { response, raw, body };
    return { failure: failureOf(response, 'invalid_response') };
  } catch (error) {
    const failure =
      exchange.failure ??
      (error instanceof ConnectionError && { code: error.code, cause: error.cause });
    // A middleware's own error is the caller's: it passes as it is.
    if (!failure) throw error;
    return { failure };
  } finally {
    exchange.close();
  }
}

async function dispatch(call: Call, exchange: Exchange, context: CallContext): Promise<Response> {
  const { method, url, body, options } = call;
  const { credential, middleware } = options;
  let secret: unknown = credential.value;
  let cause: unknown;
  try {
    if (typeof secret === 'function') secret = await secret();
  } catch (error) {
    cause = error;
  }
  if (!isSecret(secret)) {
    const hint = 'apiKey or accessToken must give visible ASCII characters.';
    return exchange.leave({ code: 'credential_unavailable', cause, hint });
  }
  const connect: Fetch = async (input, init) => {
    try {
      const response = await options.fetch(input, init);
      // A fetch that ignores its signal answers after the end: nobody will read that body.
      if (exchange.failure) drop(response.body);
      return response;
    } catch (cause) {
      throw new ConnectionError('Failed to connect.', {
        code: 'connection_failed',
        cause,
      });
    }
  };
  const init: RequestInit = {
    method,
    headers: { ...call.headers, [credential.header]: credential.prefix + secret },
    redirect: 'manual',
    signal: exchange.signal,
    body: body ?? null,
  };
  if (middleware.length === 0) return connect(url, init);
  const first = middleware.reduceRight<(request: Request) => Promise<Response>>(
    (next, layer) => async (request) => layer(request, next, context),
    (request) => connect(request),
  );
  return first(new Request(url, init));
}
