import * as clientRules from './core/client-rules.ts';
import { sentCredential } from './core/credential.ts';
import { readEnv, userAgent } from './core/runtime.ts';
import { deploymentRule } from './deployment-port.ts';
import { checkOptions } from './options/check-options.ts';
import * as rules from './options/rules.ts';
import { type Defined, defined, isFunction } from './options/values.ts';
import type { ClientOptions, Fetch, LogLevel, ResolvedOptions } from './options.ts';

const logMethods = ['debug', 'info', 'warn', 'error'] as const;
/** From the most verbose level to the quietest one. */
const logLevels: readonly LogLevel[] = [...logMethods, 'off'];

const isLogLevel = (value: unknown): value is LogLevel => logLevels.includes(value as LogLevel);

/** The rules of the options of a client. */
const optionRules: rules.OptionRules<ClientOptions> = {
  baseUrl: clientRules.baseUrl,
  apiKey: clientRules.credential,
  accessToken: clientRules.credential,
  maxRetries: rules.count,
  backoff: rules.mustBe(
    '{ initial, max } in milliseconds, 0 or more',
    rules.recordOf(
      (name) => name === 'initial' || name === 'max',
      (ms) => Number.isFinite(ms) && (ms as number) >= 0,
    ),
  ),
  timeout: rules.milliseconds,
  deadline: rules.milliseconds,
  idleTimeout: rules.milliseconds,
  maxResponseBytes: rules.integerOrInfinity(1),
  maxRetryAfter: rules.millisecondsOrNone,
  fetch: rules.callback,
  headers: clientRules.headers,
  middleware: rules.listOf('functions', isFunction),
  logger: rules.objectWith(logMethods),
  logLevel: rules.oneOf(logLevels),
  logBodies: rules.flag,
  onRetry: rules.callback,
  dangerouslyAllowBrowser: rules.flag,
  deployment: deploymentRule,
};

/** The defaults that are the same everywhere and for every operation. */
export const clientDefaults = {
  maxRetries: 2,
  backoff: { initial: 500, max: 8000 },
  deadline: Infinity,
  idleTimeout: 30_000,
  maxResponseBytes: 64 * 1024 * 1024,
  maxRetryAfter: 60_000,
  fetch: (...input: Parameters<Fetch>) => globalThis.fetch(...input),
  headers: {},
  middleware: [],
  logBodies: false,
} satisfies ClientOptions;

/** The options of a client, with defaults and environment. */
type Given = ClientOptions & Required<Pick<Defined<ClientOptions>, keyof typeof clientDefaults>>;

/** Resolved options, and what a copy of the client inherits. */
export interface Resolved {
  readonly options: ResolvedOptions;
  readonly given: Given;
}

/**
 * Validates the options of a client and adds defaults and environment. With a parent, its options are the defaults.
 * @throws TypeError that names the option
 */
export function resolveOptions(options: ClientOptions = {}, parent?: Resolved): Resolved {
  const own = checkOptions(options, optionRules, clientRules.aliases);
  const deployed = defined({ baseUrl: own.deployment?.json.baseUrl });
  const given = {
    ...(parent ? parent.given : { ...clientDefaults, ...deployed, ...fromEnvironment(own) }),
    ...(parent && deployed),
    // A copy's credential replaces its parent's, of either kind.
    ...(hasCredential(own) && { apiKey: undefined, accessToken: undefined }),
    ...own,
  };
  const level = given.logLevel ?? readEnv('LOG');
  const credential = sentCredential(given);
  const resolved: ResolvedOptions = Object.freeze({
    ...given,
    baseUrl: resolveBaseUrl(given.baseUrl),
    credential,
    backoff: { ...clientDefaults.backoff, ...defined(given.backoff) },
    headers: { ...userAgent(), ...resolveHeaders(given.headers, credential.header) },
    middleware: [...given.middleware],
    enabledLevels: logLevels.slice(logLevels.indexOf(isLogLevel(level) ? level : 'warn')),
    warnedOf: parent?.options.warnedOf ?? new Set<string>(),
    deployment: given.deployment,
  });
  return { options: resolved, given };
}

const hasCredential = ({ apiKey, accessToken }: ClientOptions) =>
  (apiKey ?? accessToken) !== undefined;

/** What the environment says where the options say nothing. A credential among these overrides both variables. */
function fromEnvironment(own: ClientOptions): Defined<ClientOptions> {
  const lacksCredential = !hasCredential(own);
  return defined({
    baseUrl: own.baseUrl ? undefined : fromEnv('BASE_URL', clientRules.baseUrl),
    apiKey: lacksCredential ? fromEnv('API_KEY', clientRules.credential) : undefined,
    accessToken: lacksCredential ? fromEnv('ACCESS_TOKEN', clientRules.credential) : undefined,
  });
}

function resolveBaseUrl(baseUrl: string | undefined): string {
  if (baseUrl) return new URL(baseUrl).href.replace(/\/+$/, '');
  throw new TypeError('No base URL. Pass baseUrl, or set CONTENTGEN_BASE_URL.');
}

/** In lower case, without an idempotency key: one for all calls would make them one call. */
function resolveHeaders(headers: Given['headers'], ownHeader: string): Record<string, string> {
  const lowerCase = Object.fromEntries(new Headers(defined(headers) as Record<string, string>));
  const { 'idempotency-key': _, ...rest } = lowerCase;
  clientRules.assertNoCredential(rest, ownHeader, 'Pass it as apiKey or accessToken.');
  return rest;
}

function fromEnv(name: string, rule: rules.OptionRule): string | undefined {
  const value = readEnv(name);
  if (value !== undefined) clientRules.assertOption(`CONTENTGEN_${name}`, value, rule);
  return value;
}
