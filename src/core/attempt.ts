import { ConnectionError, type ErrorCode } from '../errors.ts';
import { type CallContext, isVisibleAscii, type Limits, type ResolvedOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
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

/** A successful answer. */
export interface Success {
  readonly response: Response;
  readonly text: string;
  readonly data: object | undefined;
  readonly stream?: ByteStream;
}

export type Outcome =
  | { readonly success: Success; readonly failure?: undefined; readonly refused?: undefined }
  | { readonly success?: undefined; readonly failure: Failure; readonly refused?: Refused };

/** An answer with an error status. */
export interface Refused {
  readonly response: Response;
  readonly text: string;
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
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      response.body?.cancel().catch(() => {});
      const hint = 'It would carry the credential elsewhere: correct baseUrl or paths.';
      return { failure: failed('unexpected_redirect', response, hint) };
    }
    const { idleTimeout } = call.limits;
    if (!response.ok) {
      const text = await exchange.text(response, idleTimeout);
      return { failure: parseFailure(response, text), refused: { response, text } };
    }
    if (isStream(call, response) && response.body) {
      streaming = true;
      const stream = exchange.stream(response.body, idleTimeout);
      return { success: { response, text: '', data: undefined, stream } };
    }
    const text = await exchange.text(response, idleTimeout);
    if (call.expects === 'nothing' || call.expects === 'anything') {
      return { success: { response, text, data: undefined } };
    }
    const data = call.expects === 'json' ? parseJson(text) : undefined;
    if (data === undefined) {
      const hint = 'The answer is not of the promised type: check that baseUrl names the service.';
      return { failure: failed('invalid_response', response, hint) };
    }
    return { success: { response, text, data } };
  } catch (error) {
    if (error instanceof AttemptFailed) return { failure: error.failure };
    if (exchange.failure) return { failure: exchange.failure };
    if (error instanceof ConnectionError) {
      return { failure: { code: error.code as ErrorCode, cause: error.cause } };
    }
    // A middleware's own error is the caller's: it passes as it is.
    throw error;
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

const failed = (code: ErrorCode, response: Response, hint: string): Failure => ({
  code,
  status: response.status,
  requestId: requestIdOf(response),
  hint,
});

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
  let value: unknown;
  try {
    value = await give();
  } catch (cause) {
    throw new AttemptFailed({
      code: 'credential_unavailable',
      cause,
      hint: 'The function given as apiKey or accessToken threw.',
    });
  }
  if (isVisibleAscii(value, 16_384)) return value;
  throw new AttemptFailed({
    code: 'credential_unavailable',
    hint: 'The function given as apiKey or accessToken must give visible ASCII characters.',
  });
}
