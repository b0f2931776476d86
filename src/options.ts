import type { Deployment } from './deployment-port.ts';
import type { AttemptRecord } from './errors.ts';
import type { OperationId } from './types.ts';

/** What middleware and `onRetry` know about the call. */
export interface CallContext {
  /** `undefined` for a path of `client.http` that the contract does not define. */
  readonly operation: OperationId | undefined;
  /** Counts from 1. */
  readonly attempt: number;
  /** POST only. */
  readonly idempotencyKey: string | undefined;
}

/** A logical call: all its attempts, and the waits between them. */
export interface CallStart extends Omit<CallContext, 'attempt'> {
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** Whether the client generated the idempotency key, so that no other call has it. */
  readonly isKeyGenerated: boolean;
  /** The request body if it is text, as JSON is. It contains the prompt. */
  readonly body: string | undefined;
  /** What the deployment calls two fields of the body. */
  readonly fields: {
    /** The name of `webhookUrl`. */
    readonly webhookUrl: string;
    /** The name of `metadata`. */
    readonly metadata: string;
  };
}

/** How a logical call ended. */
export interface CallEnd {
  /** The last response; its body has been read. */
  readonly response?: Response | undefined;
  /** The JSON value of the response body; for a stream, the completed generation. */
  readonly body?: unknown;
  /** The error that ended the call or its stream. */
  readonly error?: unknown;
  /** The failed attempts, oldest first. */
  readonly attempts: readonly AttemptRecord[];
}

/** What middleware knows about the attempt that it wraps. */
export interface MiddlewareContext extends CallContext {
  /** The call of this attempt: the same object for all its attempts, and for `onCall`. */
  readonly call: CallStart;
}

/**
 * Wraps each attempt: it can change the request, respond itself, or inspect the response. An error that it throws
 * itself ends the call, unchanged; an error from `next` can be retried if it is passed on.
 * @example
 * ```ts
 * import type { Middleware } from 'contentgen';
 *
 * const trace: Middleware = async (request, next, { attempt }) => {
 *   request.headers.set('x-attempt', `${attempt}`);
 *   return next(request);
 * };
 * ```
 */
export interface Middleware {
  (
    request: Request,
    next: (request: Request) => Promise<Response>,
    context: MiddlewareContext,
  ): Promise<Response>;
  /**
   * Called when a logical call starts. The function it returns is called when the call has ended; for a stream, when
   * the stream has. An error in either never fails the call.
   */
  readonly onCall?: ((call: CallStart) => ((end: CallEnd) => void) | undefined) | undefined;
}

/** A retry that is about to be made, after a wait of `delayMs`. */
export interface RetryEvent extends CallContext, AttemptRecord {}

/**
 * A secret, or a function that returns it. The function is called before each attempt, so it can return that of the tenant
 * whose request is being handled. After 401 `expired_token` it is called once more, with `expired: true` and the
 * credential that was rejected, for one further attempt that does not count against `maxRetries`. `refreshing()` makes one
 * that refreshes a token once for many calls.
 */
export type Credential = string | ((state: CredentialState) => string | Promise<string>);

/** What the function for a credential is told. */
export interface CredentialState {
  /** Whether the service said that the credential of the attempt before had expired. */
  readonly expired: boolean;
  /** That credential. */
  readonly rejected: string | undefined;
}

/** A `fetch` function. It is called with a URL and a plain init, with middleware too. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** Where the client writes its log; `console` is one. */
export interface Logger {
  /** Logs each attempt. */
  debug(message: string, facts?: object): void;
  /** Logs each retry. */
  info(message: string, facts?: object): void;
  /** Logs what a developer should know: long waits, deprecated operations, errors in hooks. */
  warn(message: string, facts?: object): void;
  /** Not called by the client. */
  error(message: string, facts?: object): void;
}

/** The lowest level that is logged; `off` logs nothing. */
export type LogLevel = keyof Logger | 'off';

/** Options of one call. Each overrides the option of the client with the same name. */
export interface CallOptions {
  /** Aborts the call at once, whether it is connecting, reading, waiting to retry, polling or streaming. */
  readonly signal?: AbortSignal | undefined;
  /** Limit of one attempt in ms, body included; for a stream, up to the headers. `Infinity` disables it. */
  readonly timeout?: number | undefined;
  /** Limit of the whole call in ms, with retries, stream and polls. `Infinity` disables it. */
  readonly deadline?: number | undefined;
  /** Attempts after the first one, 0 or more. */
  readonly maxRetries?: number | undefined;
  /**
   * Repeating a POST with the same key never has a second effect; 1 to 255 visible ASCII characters.
   * @default a random key for each call
   */
  readonly idempotencyKey?: string | undefined;
  /**
   * Additional request headers. An `Idempotency-Key` among them is used as `idempotencyKey`. `X-API-Key` and
   * `Authorization` are a `TypeError`: use `client.withOptions({ apiKey })`.
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Options of a client. They are validated and copied once; an unknown name is a `TypeError`. The environment is read at the
 * first call.
 */
export interface ClientOptions {
  /**
   * The address of the service: `https://host` or `https://host/v2`.
   * @default the environment variable CONTENTGEN_BASE_URL
   */
  readonly baseUrl?: string | undefined;
  /**
   * An API key, or a function that returns one. Rejected in browsers unless `dangerouslyAllowBrowser` is set, or the base
   * URL is on loopback or under `.test`.
   * @default the environment variable CONTENTGEN_API_KEY, unless an accessToken is given
   */
  readonly apiKey?: Credential | undefined;
  /**
   * A JWT in place of an API key, or a function that returns one. Passing both is a `TypeError`.
   * @default the environment variable CONTENTGEN_ACCESS_TOKEN, unless an apiKey is given
   */
  readonly accessToken?: Credential | undefined;
  /**
   * Attempts after the first one, 0 or more. Every POST has an idempotency key, so a retry never has a second effect.
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * The waits before retries, in ms, where the service asks for none: each is random, between 0 and a bound that doubles
   * from `initial` to `max`. With `{ initial: 0 }` retries follow at once, as in a test of what fails.
   * @default { initial: 500, max: 8_000 }
   */
  readonly backoff?:
    | {
        /** The longest wait before the first retry, ms. */
        readonly initial?: number | undefined;
        /** The longest wait before any retry, ms. */
        readonly max?: number | undefined;
      }
    | undefined;
  /**
   * Limit of one attempt in ms, body included; for a stream, up to the headers. `Infinity` disables it. An attempt that
   * takes longer is repeated under the same idempotency key; if the service is still working on it, the client waits
   * for its response.
   * @default 600_000 (10 minutes) for `generateContent`, 60_000 for every other operation
   */
  readonly timeout?: number | undefined;
  /** Limit of the whole call in ms, with retries, stream and polls. `Infinity` disables it. @default Infinity */
  readonly deadline?: number | undefined;
  /**
   * Longest silence between two chunks of a body or stream, and longest pause of a stream's reader, in ms. `Infinity`
   * disables it.
   * @default 30_000
   */
  readonly idleTimeout?: number | undefined;
  /**
   * Longest response body in bytes, and longest event of a stream; a longer one fails as `response_too_large`.
   * `Infinity` disables it.
   * @default 67_108_864
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Longest wait in ms that the service can ask for (`Retry-After`); 0 accepts none. If it asks for a longer one, the
   * call fails at once and `retryAt` says when to retry. `Infinity` accepts any.
   * @default 60_000
   */
  readonly maxRetryAfter?: number | undefined;
  /**
   * The transport, for example `mock.fetch`, or undici's `fetch` with a dispatcher for a proxy.
   * @default globalThis.fetch, looked up for each attempt
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Headers of every request. An `Idempotency-Key` is ignored: it would turn all calls into one. `X-API-Key` and
   * `Authorization` are a `TypeError`: the credential has its own options.
   */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Functions that wrap each attempt; the first is the outermost. @default [] */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Where the log is written. @default console */
  readonly logger?: Logger | undefined;
  /**
   * The lowest level that is logged. Credentials are never logged; prompts and bodies only with `logBodies`.
   * @default the environment variable CONTENTGEN_LOG, else 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
  /** Logs request and response bodies at level `debug`. They contain prompts, results and secrets. @default false */
  readonly logBodies?: boolean | undefined;
  /** Called before the wait for each retry. An error in it never fails the call. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /**
   * Allows an API key in a browser, where every visitor can read it. An access token is always allowed.
   * @default false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * What your service does differently: what `defineDeployment()` of `contentgen/deployment` returns. Its `baseUrl` is a
   * default.
   * @default the contract
   */
  readonly deployment?: Deployment | undefined;
}

/** Validated options, complete and frozen. */
export interface ResolvedOptions extends Pick<ClientOptions, 'logger' | 'onRetry'> {
  readonly baseUrl: string;
  readonly credential: {
    readonly header: string;
    readonly prefix: string;
    readonly value: Credential;
  };
  readonly maxRetries: number;
  readonly backoff: { readonly initial: number; readonly max: number };
  /** Absent for the default of each operation. */
  readonly timeout?: number | undefined;
  readonly deadline: number;
  readonly idleTimeout: number;
  readonly maxResponseBytes: number;
  readonly maxRetryAfter: number;
  readonly fetch: Fetch;
  /** `User-Agent` included; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly middleware: readonly Middleware[];
  readonly enabledLevels: readonly LogLevel[];
  readonly logBodies: boolean;
  /** What this client and its copies have warned about, such as deprecated operations. */
  readonly warnedOf: Set<string>;
  /** `undefined` if nothing is different. */
  readonly deployment: Deployment | undefined;
}
