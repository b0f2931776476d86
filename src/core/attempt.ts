import { ConnectionError, type ErrorCode } from '../errors.ts';
import { type CallContext, isVisibleAscii, type Limits, type ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import { nameCallback } from './callback-field.ts';
import { AttemptFailed, type ByteStream, Exchange } from './exchange.ts';
import type { Failure } from './failure.ts';
import { parseFailure, parseJson, requestIdOf } from './parse.ts';
import type { CallScope } from './scope.ts';
import { after } from './wait.ts';

/** One logical call, ready to be sent any number of times. */
export interface Call {
  readonly operation: OperationId | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /**
   * What a success holds: a JSON object, nothing of interest, an event stream, or whatever `client.http` makes of it
   * (then error answers are answers too).
   */
  readonly expects: 'json' | 'nothing' | 'stream' | 'anything';
  readonly limits: Limits;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | undefined;
}

/** What came of an attempt: a response, a failure, or both for an error status. */
export interface Outcome {
  readonly failure?: Failure;
  readonly response?: Response;
  /** The body, unless it is a stream. */
  readonly text?: string;
  /** The body as a JSON object, when one was expected. */
  readonly data?: object | undefined;
  readonly stream?: ByteStream;
}

/** Sends a call once and reads the answer under the limits of an attempt. */
export async function runAttempt(
  options: ResolvedOptions,
  call: Call,
  scope: CallScope,
  context: CallContext,
): Promise<Outcome> {
  const exchange = new Exchange(scope);
  const cancelTimer = after(call.limits.timeout, () => exchange.end({ code: 'attempt_timeout' }));
  let streaming = false;
  try {
    const response = await exchange.race(dispatch(options, call, exchange, context));
    const failure = (code: ErrorCode, hint: string): Failure => ({
      code,
      status: response.status,
      requestId: requestIdOf(response),
      hint,
    });
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      response.body?.cancel().catch(() => {});
      const hint = 'It would carry the credential elsewhere: correct baseUrl or paths.';
      return { failure: failure('unexpected_redirect', hint) };
    }
    const { idleTimeout } = call.limits;
    if (response.ok && isStream(call, response) && response.body) {
      streaming = true;
      return { response, stream: exchange.stream(response.body, idleTimeout) };
    }
    const text = await exchange.text(response, idleTimeout);
    if (!response.ok) return { response, text, failure: parseFailure(response, text) };
    if (call.expects === 'nothing' || call.expects === 'anything') return { response, text };
    const data = call.expects === 'json' ? parseJson(text) : undefined;
    if (data) {
      const { webhookUrlField } = options;
      return { response, text, data: nameCallback(data, call.operation, webhookUrlField) };
    }
    return { failure: failure('invalid_response', 'Check that baseUrl names the service.') };
  } catch (error) {
    if (error instanceof AttemptFailed) return { failure: error.failure };
    if (exchange.failure) return { failure: exchange.failure };
    // A middleware's own error is the caller's: it passes as it is.
    if (!(error instanceof ConnectionError)) throw error;
    return { failure: { code: error.code, cause: error.cause } };
  } finally {
    cancelTimer();
    if (!streaming) scope.onEnd = undefined;
  }
}

function isStream(call: Call, response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  if (call.expects === 'stream') return /^text\/event-stream\b/i.test(type);
  return call.expects === 'anything' && !/\bjson\b/i.test(type);
}

async function dispatch(
  options: ResolvedOptions,
  call: Call,
  exchange: Exchange,
  context: CallContext,
): Promise<Response> {
  const { credential, middleware } = options;
  const secret =
    typeof credential.value === 'string' ? credential.value : await ask(credential.value);
  const init: RequestInit = {
    method: call.method,
    headers: { ...call.headers, [credential.header]: credential.prefix + secret },
    redirect: 'manual',
    signal: exchange.signal,
  };
  if (call.body !== undefined) init.body = call.body;
  if (middleware.length === 0) return connect(options, exchange, call.url, init);
  const layer =
    (index: number) =>
    async (request: Request): Promise<Response> => {
      const run = middleware[index];
      if (!run) return connect(options, exchange, request);
      return run(request, layer(index + 1), context);
    };
  return layer(0)(new Request(call.url, init));
}

async function connect(
  options: ResolvedOptions,
  exchange: Exchange,
  input: string | Request,
  init?: RequestInit,
): Promise<Response> {
  try {
    const response = await options.fetch(input, init);
    // A fetch that ignores its signal answers after the end: nobody will read that body.
    if (exchange.failure) response.body?.cancel().catch(() => {});
    return response;
  } catch (cause) {
    throw new ConnectionError('Failed to connect: fetch rejected.', {
      code: 'connection_failed',
      cause,
    });
  }
}

async function ask(give: () => string | Promise<string>): Promise<string> {
  let cause: unknown;
  try {
    const value: unknown = await give();
    if (isVisibleAscii(value, 16_384)) return value;
  } catch (error) {
    cause = error;
  }
  const hint = 'The function given as apiKey or accessToken must give visible ASCII characters.';
  throw new AttemptFailed({ code: 'credential_unavailable', cause, hint });
}
