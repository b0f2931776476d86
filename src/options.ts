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
  /** Further request headers. */
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
   * Name of the callback field on the wire.
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
  readonly logBodies: boolean;
  readonly onRetry: ((event: RetryEvent) => void) | undefined;
  readonly paths: { readonly [Id in OperationId]?: string };
  readonly webhookUrlField: string;
}

const clientOptionNames = {
  baseUrl: true,
  apiKey: true,
  accessToken: true,
  maxRetries: true,
  timeout: true,
  deadline: true,
  idleTimeout: true,
  fetch: true,
  headers: true,
  middleware: true,
  logger: true,
  logLevel: true,
  logBodies: true,
  onRetry: true,
  dangerouslyAllowBrowser: true,
  paths: true,
  webhookUrlField: true,
  accessTokenHeader: true,
} as const satisfies Record<keyof ClientOptions, true>;

const callOptionNames = {
  signal: true,
  timeout: true,
  deadline: true,
  maxRetries: true,
  idempotencyKey: true,
  headers: true,
} as const satisfies Record<keyof CallOptions, true>;

const refuse = (message: string): never => {
  throw new TypeError(message);
};

/** Checks the options of a client and fills in defaults and environment; misuse is a `TypeError` that names it. */
export function resolveOptions(input: ClientOptions = {}): ResolvedOptions {
  knownNames(input, clientOptionNames, 'option');
  const logLevel = input.logLevel ?? envLogLevel() ?? 'warn';
  if (!logLevels.includes(logLevel)) refuse(`logLevel must be one of ${logLevels.join(', ')}.`);
  for (const name of ['fetch', 'onRetry'] as const) {
    if (input[name] !== undefined && typeof input[name] !== 'function') {
      refuse(`${name} must be a function.`);
    }
  }
  for (const name of ['logBodies', 'dangerouslyAllowBrowser'] as const) {
    if (input[name] !== undefined && typeof input[name] !== 'boolean') {
      refuse(`${name} must be true or false.`);
    }
  }
  const middleware = input.middleware ?? [];
  if (!Array.isArray(middleware) || middleware.some((layer) => typeof layer !== 'function')) {
    refuse('middleware must be an array of functions.');
  }
  const credential = resolveCredential(input);
  if (credential.header === 'x-api-key' && input.dangerouslyAllowBrowser !== true && isBrowser()) {
    refuse(
      'An API key in a browser can be read by every visitor. Use an accessToken, or set dangerouslyAllowBrowser: true if the page is yours alone.',
    );
  }
  return Object.freeze({
    baseUrl: resolveBaseUrl(input.baseUrl ?? readEnv('CONTENTGEN_BASE_URL')),
    credential,
    limits: Object.freeze({
      timeout: duration('timeout', input.timeout) ?? 60_000,
      deadline: duration('deadline', input.deadline) ?? Number.POSITIVE_INFINITY,
      idleTimeout: duration('idleTimeout', input.idleTimeout) ?? 30_000,
      maxRetries: count('maxRetries', input.maxRetries) ?? 2,
    }),
    fetch: input.fetch ?? ((request, init) => globalThis.fetch(request, init)),
    headers: Object.freeze(headerRecord(input.headers)),
    middleware: Object.freeze([...middleware]),
    log: atLevel(checkedLogger(input.logger), logLevel),
    logBodies: input.logBodies ?? false,
    onRetry: input.onRetry,
    paths: Object.freeze(checkedPaths(input.paths)),
    webhookUrlField: fieldName(input.webhookUrlField ?? 'webhookUrl'),
  });
}

/** Checks the options of one call and fills in the client's. */
export function resolveCallOptions(
  input: CallOptions | undefined,
  limits: Limits,
): Limits & Pick<CallOptions, 'signal' | 'idempotencyKey'> & { headers?: Record<string, string> } {
  if (input === undefined) return limits;
  knownNames(input, callOptionNames, 'call option');
  const { signal, idempotencyKey } = input;
  if (
    signal !== undefined &&
    typeof (signal as AbortSignal | null)?.addEventListener !== 'function'
  ) {
    refuse('signal must be an AbortSignal.');
  }
  if (idempotencyKey !== undefined && !isVisibleAscii(idempotencyKey, 255)) {
    refuse('idempotencyKey must be 1 to 255 visible ASCII characters.');
  }
  return {
    timeout: duration('timeout', input.timeout) ?? limits.timeout,
    deadline: duration('deadline', input.deadline) ?? limits.deadline,
    idleTimeout: limits.idleTimeout,
    maxRetries: count('maxRetries', input.maxRetries) ?? limits.maxRetries,
    headers: headerRecord(input.headers),
    signal,
    idempotencyKey,
  };
}

/** Refuses what is no object and every name that is not in `known`. */
export function knownNames(
  input: object,
  known: Readonly<Record<string, true>>,
  what: string,
): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    refuse(`${what}s must be an object.`);
  }
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(known, name)) {
      refuse(`Unknown ${what} ${JSON.stringify(name)}. Known: ${Object.keys(known).join(', ')}.`);
    }
  }
}

/** A duration in ms: above 0, `Infinity` allowed; NaN fails. */
export function duration(name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !(value > 0)) {
    refuse(`${name} must be a number of milliseconds above 0 (Infinity switches it off).`);
  }
  return value;
}

function count(name: string, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!Number.isSafeInteger(value) || value < 0)
    refuse(`${name} must be an integer of at least 0.`);
  return value;
}

/** 1 to `max` characters from `!` to `~`: what a header value takes without surprise. */
export function isVisibleAscii(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.length <= max && /^[!-~]+$/.test(value);
}

function resolveCredential(input: ClientOptions): ResolvedOptions['credential'] {
  const explicit = input.apiKey !== undefined || input.accessToken !== undefined;
  const apiKey = explicit ? input.apiKey : readEnv('CONTENTGEN_API_KEY');
  const accessToken = explicit ? input.accessToken : readEnv('CONTENTGEN_ACCESS_TOKEN');
  if (apiKey !== undefined && accessToken !== undefined) {
    refuse('apiKey and accessToken exclude one another: give one.');
  }
  const name = apiKey !== undefined ? 'apiKey' : 'accessToken';
  const value = apiKey ?? accessToken;
  if (value === undefined) {
    return refuse('No credential: give apiKey or accessToken, or set CONTENTGEN_API_KEY.');
  }
  if (typeof value !== 'function' && !isVisibleAscii(value, 16_384)) {
    refuse(`${name} must be a string of visible ASCII characters, or a function that gives one.`);
  }
  const header = (input.accessTokenHeader ?? 'authorization').toLowerCase();
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(header))
    refuse('accessTokenHeader must be a header name.');
  if (name === 'apiKey') return Object.freeze({ header: 'x-api-key', prefix: '', value });
  return Object.freeze({ header, prefix: header === 'authorization' ? 'Bearer ' : '', value });
}

function resolveBaseUrl(value: string | undefined): string {
  if (value === undefined) return refuse('No baseUrl: give it, or set CONTENTGEN_BASE_URL.');
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (
    !url ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== '' ||
    /[?#]/.test(value)
  ) {
    return refuse('baseUrl must be an http(s) URL without credentials, query and fragment.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Lower-case names; values that are `undefined` are left out. */
function headerRecord(input: ClientOptions['headers']): Record<string, string> {
  const record: Record<string, string> = {};
  if (input === undefined) return record;
  if (typeof input !== 'object' || input === null || Symbol.iterator in input) {
    refuse('headers must be a plain object of strings.');
  }
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      refuse(`headers: ${JSON.stringify(name)} is no header name.`);
    }
    if (typeof value !== 'string' || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      refuse(`headers: the value of ${name} must be a string of Latin-1 characters on one line.`);
    }
    record[name.toLowerCase()] = value;
  }
  return record;
}

function checkedLogger(logger: Logger | undefined): Logger | undefined {
  if (logger === undefined) return undefined;
  for (const name of ['debug', 'info', 'warn', 'error'] as const) {
    if (typeof (logger as Logger | null)?.[name] !== 'function') {
      refuse(`logger must have the methods debug, info, warn and error; ${name} is missing.`);
    }
  }
  return logger;
}

function envLogLevel(): LogLevel | undefined {
  const level = readEnv('CONTENTGEN_LOG')?.toLowerCase();
  return logLevels.find((known) => known === level);
}

function checkedPaths(input: ClientOptions['paths']): ResolvedOptions['paths'] {
  if (input === undefined) return {};
  const paths: { [Id in OperationId]?: string } = {};
  for (const [id, path] of Object.entries(input)) {
    if (!Object.hasOwn(operations, id)) refuse(`paths: unknown operation ${JSON.stringify(id)}.`);
    const operation = id as OperationId;
    if (path === undefined) continue;
    const expected = placeholders(operations[operation].path).sort().join();
    if (typeof path !== 'string' || !/^\/[^?#\s]*$/.test(path)) {
      refuse(`paths: ${id} must be a path that begins with "/", without query.`);
    }
    if (placeholders(path).sort().join() !== expected) {
      refuse(`paths: ${id} must have the placeholders {${expected}}.`);
    }
    paths[operation] = path;
  }
  return paths;
}

function fieldName(value: string): string {
  if (typeof value !== 'string' || value === '') refuse('webhookUrlField must be a field name.');
  return value;
}
