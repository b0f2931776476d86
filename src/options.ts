import { type Logger, type LogLevel, logLevels, logMethods } from './core/logger.ts';
import { isObject } from './core/parse.ts';
import { placeholders } from './core/path.ts';
import { isBrowser, readEnv, userAgent } from './core/runtime.ts';
import { type AttemptRecord, type Defined, defined, refuse } from './errors.ts';
import { routes } from './generated/routes.ts';
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

/** Options after their one check: complete and frozen. */
export interface ResolvedOptions extends Pick<ClientOptions, 'logger' | 'onRetry'> {
  /** With the `User-Agent`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly logBodies: boolean;
  readonly middleware: readonly Middleware[];
  readonly webhookUrlField: string;
  readonly timeout: number;
  readonly deadline: number;
  readonly idleTimeout: number;
  readonly maxRetries: number;
  readonly credential: {
    readonly header: string;
    readonly prefix: string;
    readonly value: Credential;
  };
  /** The levels that the log has lines of. */
  readonly written: readonly string[];
  readonly paths: { readonly [Id in OperationId]?: string };
}

type Check = readonly [holds: (value: never) => boolean, what: string];

const isLogLevel = (value: unknown): value is LogLevel => logLevels.includes(value as LogLevel);
const isFunction = (value: unknown) => typeof value === 'function';
const text =
  (pattern: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && pattern.test(value);
const recordOf =
  (isName: (name: string) => boolean, isValue: (value: unknown, name: string) => boolean) =>
  (record: unknown): boolean =>
    isObject(record) &&
    Object.entries(record).every(
      ([name, value]) => isName(name) && (value === undefined || isValue(value, name)),
    );
const isToken = text(/^[!#$%&'*+.^_`|~\w-]+$/);
const isAddress = text(/^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i);
const isBaseUrl = (value: unknown) => isAddress(value) && URL.canParse(value);
const isPath = text(/^\/[^?#\s]*$/);

/** What a header takes as a credential without surprise. */
export const isSecret = text(/^[!-~]{1,16384}$/);

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
  headers: [recordOf(isToken, text(/^[\t -~\x80-\xff]*$/)), 'an object of one-line strings'],
} as const;
const credential = [
  (value: unknown) => isFunction(value) || isSecret(value),
  'visible ASCII characters or a function',
] as const;

const clientChecks = {
  ...shared,
  baseUrl: [isBaseUrl, 'an http(s) URL without credentials and query'],
  apiKey: credential,
  accessToken: credential,
  idleTimeout: milliseconds,
  fetch: callable,
  middleware: [
    (value: unknown) => Array.isArray(value) && value.every(isFunction),
    'an array of functions',
  ],
  logger: [
    (value?: Partial<Logger>) => logMethods.every((name) => isFunction(value?.[name])),
    `an object with ${logMethods}`,
  ],
  logLevel: [isLogLevel, `one of ${logLevels}`],
  logBodies: switched,
  onRetry: callable,
  dangerouslyAllowBrowser: switched,
  paths: [
    recordOf(
      (id) => Object.hasOwn(routes, id),
      (path, id) => isPath(path) && placeholders(path) === placeholders(routes[id as OperationId]),
    ),
    'paths by operation id, with its placeholders',
  ],
  webhookUrlField: [text(/./s), 'a name'],
  accessTokenHeader: [isToken, 'a header name'],
} as const satisfies Record<keyof ClientOptions, Check>;

const callChecks = {
  ...shared,
  signal: [
    (value: unknown) => isFunction((value as AbortSignal | null)?.addEventListener),
    'an AbortSignal',
  ],
  idempotencyKey: [text(/^[!-~]{1,255}$/), '1 to 255 visible ASCII characters'],
} as const satisfies Record<keyof CallOptions, Check>;

const missing = (option: string, variable: string): never =>
  refuse(`Give ${option}, or set CONTENTGEN_${variable}.`);

/** Values are never quoted. */
function hold(name: string, value: unknown, [holds, what]: Check): void {
  if (!holds(value as never)) refuse(`${name} must be ${what}.`);
}

/** A copy without what is undefined. Refuses what is no object, every unknown name and every value that does not hold. */
function check<T extends object>(input: T, checks: Readonly<Record<string, Check>>): Defined<T> {
  hold('Options', input, [isObject, 'an object']);
  const given = Object.entries(input).filter(([name, value]) => {
    const rule = Object.hasOwn(checks, name) && checks[name];
    if (!rule) return refuse(`Unknown option ${name}. Known: ${Object.keys(checks).join(', ')}.`);
    if (value !== undefined) hold(name, value, rule);
    return value !== undefined;
  });
  return Object.fromEntries(given) as Defined<T>;
}

/** A value of the environment, held to the check of its option. */
function fromEnv(name: string, option: Check): string | undefined {
  const value = readEnv(name);
  if (value !== undefined) hold(`CONTENTGEN_${name}`, value, option);
  return value;
}

/** Checks the options of one call; gives those that are there. */
export const checkCallOptions = (input: CallOptions = {}): Defined<CallOptions> =>
  check(input, callChecks);

/** Checks the options of a client and fills in defaults and environment; misuse is a `TypeError` that names it. */
export function resolveOptions(input: ClientOptions = {}): ResolvedOptions {
  const given = check(input, clientChecks);
  const { headers, middleware = [], paths } = given;
  const baseUrl =
    given.baseUrl ?? fromEnv('BASE_URL', clientChecks.baseUrl) ?? missing('baseUrl', 'BASE_URL');
  const known = readEnv('LOG');
  const level = given.logLevel ?? (isLogLevel(known) ? known : 'warn');
  return Object.freeze({
    timeout: 60_000,
    deadline: Infinity,
    idleTimeout: 30_000,
    maxRetries: 2,
    fetch: (...input: Parameters<Fetch>) => globalThis.fetch(...input),
    logBodies: false,
    webhookUrlField: 'webhookUrl',
    ...given,
    baseUrl: new URL(baseUrl).href.replace(/\/+$/, ''),
    credential: resolveCredential(given),
    // The caller's own may change later.
    headers: { ...userAgent(), ...lowerCase(headers) },
    middleware: [...middleware],
    paths: { ...paths },
    written: logLevels.slice(logLevels.indexOf(level)),
  });
}

/** Without a key: one for all calls would make them one call. */
function lowerCase(headers: ClientOptions['headers'] = {}): Record<string, string> {
  const lower = Object.entries(defined(headers)).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const { 'idempotency-key': _, ...others } = Object.fromEntries(lower);
  return others;
}

function resolveCredential(given: Defined<ClientOptions>): ResolvedOptions['credential'] {
  const { apiKey, accessToken } =
    (given.apiKey ?? given.accessToken)
      ? given
      : {
          apiKey: fromEnv('API_KEY', credential),
          accessToken: fromEnv('ACCESS_TOKEN', credential),
        };
  const value = apiKey ?? accessToken ?? missing('apiKey or accessToken', 'API_KEY');
  if (apiKey) {
    if (accessToken) refuse('Give apiKey or accessToken, not both.');
    if (!given.dangerouslyAllowBrowser && isBrowser()) {
      refuse(
        'Visitors of a page can read its apiKey: give accessToken, or set dangerouslyAllowBrowser.',
      );
    }
  }
  const header = apiKey ? 'x-api-key' : (given.accessTokenHeader ?? 'authorization').toLowerCase();
  return { header, prefix: header === 'authorization' ? 'Bearer ' : '', value };
}
