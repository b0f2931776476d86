import { atLevel, type Logger, type LogLevel, logLevels } from './core/logger.ts';
import { placeholders } from './core/path.ts';
import { isBrowser, readEnv } from './core/runtime.ts';
import type { AttemptRecord } from './errors.ts';
import { operations } from './generated/operations.ts';
import type { OperationId } from './types.ts';

/** What a middleware and `onRetry` know of the logical call. */
export interface CallContext {
  readonly operation: OperationId | undefined;
  /** Counts from 1. */
  readonly attempt: number;
  readonly idempotencyKey: string | undefined;
}

/** Around each attempt: may change the request, answer itself, or look at the response. */
export type Middleware = (
  request: Request,
  next: (request: Request) => Promise<Response>,
  context: CallContext,
) => Promise<Response>;

/** A retry that is about to be waited for. */
export interface RetryEvent extends CallContext, AttemptRecord {}

/** A secret, or a function that is asked for it before each attempt. */
export type Credential = string | (() => string | Promise<string>);

/** `fetch`-shaped: called with a URL and its init, or with a `Request` when there is middleware. */
export type Fetch = (input: string | Request, init?: RequestInit) => Promise<Response>;

/** Options of one call; each stands in for the client's own. */
export interface CallOptions {
  /** Ends connect, body, backoff, poll and stream at once. */
  readonly signal?: AbortSignal | undefined;
  /** One attempt, body included, ms; for a stream up to its headers. `Infinity` switches it off. */
  readonly timeout?: number | undefined;
  /** The whole call with its retries, stream and polls, ms. */
  readonly deadline?: number | undefined;
  /** Further attempts after the first, 0 or more. */
  readonly maxRetries?: number | undefined;
  /** Names the logical call (POST only), 1 to 255 visible ASCII characters; default: a random one. */
  readonly idempotencyKey?: string | undefined;
  /** Further request headers; an `Idempotency-Key` among them counts as `idempotencyKey`. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Options of a client. They are checked once and copied; unknown names are refused. */
export interface ClientOptions {
  /**
   * Where the service is, `https://host` or `https://host/v2`.
   * @default the environment variable CONTENTGEN_BASE_URL
   */
  readonly baseUrl?: string | undefined;
  /**
   * An API key, or a function that gives one. Refused in browsers unless `dangerouslyAllowBrowser`.
   * @default the environment variable CONTENTGEN_API_KEY
   */
  readonly apiKey?: Credential | undefined;
  /**
   * A JWT instead of an API key, or a function that gives one. Both at once are a `TypeError`.
   * @default the environment variable CONTENTGEN_ACCESS_TOKEN, unless an apiKey is given
   */
  readonly accessToken?: Credential | undefined;
  /**
   * Further attempts after the first, 0 or more. Every POST carries one idempotency key, so a retry never acts twice.
   * @default 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * One attempt, body included, ms; for a stream up to its headers. `Infinity` switches it off.
   * @default 60_000
   */
  readonly timeout?: number | undefined;
  /**
   * The whole call with its retries, stream and polls, ms.
   * @default undefined (none)
   */
  readonly deadline?: number | undefined;
  /**
   * Longest silence between two pieces of a body or stream, ms. `Infinity` switches it off.
   * @default 30_000
   */
  readonly idleTimeout?: number | undefined;
  /**
   * The transport, for instance `mock.fetch` or `nodeFetch()` of `contentgen/node`.
   * @default globalThis.fetch, looked up at each call
   */
  readonly fetch?: Fetch | undefined;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Around each attempt, the first one outermost. */
  readonly middleware?: readonly Middleware[] | undefined;
  /** @default console */
  readonly logger?: Logger | undefined;
  /**
   * Keys, prompts and bodies are never written, whatever the level.
   * @default the environment variable CONTENTGEN_LOG, else 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Writes request and response bodies at level `debug`. They hold prompts, results and secrets.
   * @default false
   */
  readonly logBodies?: boolean | undefined;
  /** Told of each retry before its wait. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /**
   * Allows an API key in a browser, where every visitor can read it. Access tokens are always allowed.
   * @default false
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
  /**
   * Paths of operations where a deployment differs, with the same placeholders.
   * @example { createApiKey: '/api-keys/generate' }
   */
  readonly paths?: { readonly [Id in OperationId]?: `/${string}` } | undefined;
  /**
   * Name of the callback field on the wire, in requests and in generations; here it is `webhookUrl` all the same.
   * @default 'webhookUrl'
   */
  readonly webhookUrlField?: string | undefined;
  /**
   * Header of the access token. Under `Authorization` it is sent as `Bearer <token>`, under another name as it is.
   * @default 'Authorization'
   */
  readonly accessTokenHeader?: string | undefined;
}

export interface Limits {
  readonly timeout: number;
  readonly deadline: number;
  readonly idleTimeout: number;
  readonly maxRetries: number;
}

/** Options after their one check: complete and frozen. */
export interface ResolvedOptions {
  readonly baseUrl: string;
  readonly credential: {
    readonly header: string;
    readonly prefix: string;
    readonly value: Credential;
  };
  readonly limits: Limits;
  readonly fetch: Fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly middleware: readonly Middleware[];
  readonly log: Logger;
  readonly debugging: boolean;
  readonly logBodies: boolean;
  readonly onRetry: ((event: RetryEvent) => void) | undefined;
  readonly paths: { readonly [Id in OperationId]?: string };
  readonly webhookUrlField: string;
}

type Check = readonly [holds: (value: never) => boolean, what: string];

const isFunction = (value: unknown) => typeof value === 'function';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(Symbol.iterator in value);
const isToken = (name: unknown) => typeof name === 'string' && /^[!#$%&'*+.^_`|~\w-]+$/.test(name);

/** 1 to `max` characters from `!` to `~`: what a header value takes without surprise. */
export function isVisibleAscii(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max && /^[!-~]+$/.test(value);
}

// A NaN fails.
const milliseconds = [
  (value: number) => typeof value === 'number' && value > 0,
  'milliseconds above 0 or Infinity',
] as const;
const switched = [(value: unknown) => typeof value === 'boolean', 'true or false'] as const;
const callable = [isFunction, 'a function'] as const;
const shared = {
  maxRetries: [(value: number) => Number.isSafeInteger(value) && value >= 0, 'an integer from 0'],
  timeout: milliseconds,
  deadline: milliseconds,
  headers: [isHeaders, 'an object of one-line strings'],
} as const;
const credential = [
  (value: unknown) => isFunction(value) || isVisibleAscii(value, 16_384),
  'visible ASCII characters or a function',
] as const;

const clientChecks = {
  ...shared,
  baseUrl: [isBaseUrl, 'an http(s) URL without credentials, query and fragment'],
  apiKey: credential,
  accessToken: credential,
  idleTimeout: milliseconds,
  fetch: callable,
  middleware: [
    (value: unknown) => Array.isArray(value) && value.every(isFunction),
    'an array of functions',
  ],
  logger: [
    (value: unknown) =>
      isRecord(value) && logLevels.every((level) => level === 'off' || isFunction(value[level])),
    'an object with debug, info, warn and error',
  ],
  logLevel: [(value: LogLevel) => logLevels.includes(value), `one of ${logLevels}`],
  logBodies: switched,
  onRetry: callable,
  dangerouslyAllowBrowser: switched,
  paths: [isPaths, 'paths by operation id, with its placeholders'],
  webhookUrlField: [(value: unknown) => typeof value === 'string' && value !== '', 'a name'],
  accessTokenHeader: [isToken, 'a header name'],
} as const satisfies Record<keyof ClientOptions, Check>;

const callChecks = {
  ...shared,
  signal: [
    (value: unknown) => isFunction((value as AbortSignal | null)?.addEventListener),
    'an AbortSignal',
  ],
  idempotencyKey: [
    (value: unknown) => isVisibleAscii(value, 255),
    '1 to 255 visible ASCII characters',
  ],
} as const satisfies Record<keyof CallOptions, Check>;

const refuse = (message: string): never => {
  throw new TypeError(message);
};

/** Refuses what is no object, every unknown name and every value that does not hold; values are never quoted. */
function check(input: object, checks: Readonly<Record<string, Check>>): void {
  if (!isRecord(input)) refuse('Options must be an object.');
  for (const [name, value] of Object.entries(input)) {
    const [holds, what] = (Object.hasOwn(checks, name) && checks[name]) || [];
    if (!holds) refuse(`Unknown option ${name}. Known: ${Object.keys(checks).join(', ')}.`);
    else if (value !== undefined && !holds(value as never)) refuse(`${name} must be ${what}.`);
  }
}

/** Checks the options of a client and fills in defaults and environment; misuse is a `TypeError` that names it. */
export function resolveOptions(input: ClientOptions = {}): ResolvedOptions {
  check(input, clientChecks);
  const baseUrl =
    input.baseUrl ??
    readEnv('CONTENTGEN_BASE_URL') ??
    refuse('No baseUrl: give it, or set CONTENTGEN_BASE_URL.');
  if (!isBaseUrl(baseUrl)) refuse('CONTENTGEN_BASE_URL must be an http(s) URL.');
  const fromEnv = readEnv('CONTENTGEN_LOG') as LogLevel;
  const level = input.logLevel ?? (logLevels.includes(fromEnv) ? fromEnv : 'warn');
  return Object.freeze({
    baseUrl: new URL(baseUrl).href.replace(/\/+$/, ''),
    credential: resolveCredential(input),
    limits: Object.freeze({
      timeout: input.timeout ?? 60_000,
      deadline: input.deadline ?? Number.POSITIVE_INFINITY,
      idleTimeout: input.idleTimeout ?? 30_000,
      maxRetries: input.maxRetries ?? 2,
    }),
    fetch:
      input.fetch ??
      ((request: string | Request, init?: RequestInit) => globalThis.fetch(request, init)),
    headers: Object.freeze(lowerCase(input.headers)),
    middleware: Object.freeze([...(input.middleware ?? [])]),
    log: atLevel(input.logger, level),
    debugging: level === 'debug',
    logBodies: input.logBodies ?? false,
    onRetry: input.onRetry,
    paths: Object.freeze({ ...input.paths }),
    webhookUrlField: input.webhookUrlField ?? 'webhookUrl',
  });
}

/** Checks the options of one call and fills in the client's. */
export function resolveCallOptions(
  input: CallOptions | undefined,
  limits: Limits,
): Limits & Pick<CallOptions, 'signal' | 'idempotencyKey'> & { headers?: Record<string, string> } {
  if (input === undefined) return limits;
  check(input, callChecks);
  return {
    timeout: input.timeout ?? limits.timeout,
    deadline: input.deadline ?? limits.deadline,
    idleTimeout: limits.idleTimeout,
    maxRetries: input.maxRetries ?? limits.maxRetries,
    headers: lowerCase(input.headers),
    signal: input.signal,
    idempotencyKey: input.idempotencyKey,
  };
}

function resolveCredential(input: ClientOptions): ResolvedOptions['credential'] {
  const { apiKey, accessToken } =
    input.apiKey !== undefined || input.accessToken !== undefined
      ? input
      : { apiKey: readEnv('CONTENTGEN_API_KEY'), accessToken: readEnv('CONTENTGEN_ACCESS_TOKEN') };
  const value =
    apiKey ??
    accessToken ??
    refuse('No credential: give apiKey or accessToken, or set CONTENTGEN_API_KEY.');
  if (!credential[0](value)) refuse('CONTENTGEN_API_KEY must be visible ASCII characters.');
  const header = (input.accessTokenHeader ?? 'authorization').toLowerCase();
  if (apiKey === undefined) {
    return Object.freeze({ header, prefix: header === 'authorization' ? 'Bearer ' : '', value });
  }
  if (accessToken !== undefined) refuse('apiKey and accessToken exclude one another: give one.');
  if (input.dangerouslyAllowBrowser !== true && isBrowser()) {
    refuse(
      'An API key in a browser can be read by every visitor: use an accessToken, or set dangerouslyAllowBrowser.',
    );
  }
  return Object.freeze({ header: 'x-api-key', prefix: '', value });
}

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value) || /[?#]/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username + password === '';
}

function isHeaders(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, text]) =>
        isToken(name) &&
        (text === undefined || (typeof text === 'string' && /^[\t -~\x80-\xff]*$/.test(text))),
    )
  );
}

function isPaths(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([id, path]) =>
        Object.hasOwn(operations, id) &&
        (path === undefined ||
          (typeof path === 'string' &&
            /^\/[^?#\s]*$/.test(path) &&
            placeholders(path) === placeholders(operations[id as OperationId].path))),
    )
  );
}

function lowerCase(headers: ClientOptions['headers'] = {}): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) record[name.toLowerCase()] = value;
  }
  return record;
}
