import { withoutTrailing } from './clean-text.ts';
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

type Given = ClientOptions & Required<Pick<Defined<ClientOptions>, keyof typeof clientDefaults>>;

export interface Resolved {
  readonly given: Given;
  readonly warnedOf: Set<string>;
  /** What this client and its copies have read of the environment. */
  readonly environment: Map<string, string>;
  /**
   * The complete options. The environment is read at the first call: a client at the top of a module must not break a
   * build without variables.
   * @throws TypeError for what the environment lacks, or for a variable that is not valid
   */
  readonly complete: () => ResolvedOptions;
}

/** @param parent - Its options are the defaults. */
export function resolveOptions(options: ClientOptions = {}, parent?: Resolved): Resolved {
  const own = checkOptions(options, optionRules, clientRules.aliases);
  const deployed = defined({ baseUrl: own.deployment?.json.baseUrl });
  const given: Given = {
    ...(parent?.given ?? clientDefaults),
    ...(parent && deployed),
    // A copy's credential replaces its parent's, of either kind.
    ...(hasCredential(own) && { apiKey: undefined, accessToken: undefined }),
    ...own,
  };
  // Options are copied, so that later changes to them have no effect.
  const headers = { ...given.headers };
  const middleware = [...given.middleware];
  if (hasCredential(given)) checkHeaders(headers, sentCredential(given).header);
  const { warnedOf = new Set<string>(), environment = new Map<string, string>() } = parent ?? {};
  const inherited = { warnedOf, environment };
  let completed: ResolvedOptions | undefined;
  const complete = () => {
    completed ??= withEnvironment({ ...given, headers, middleware }, inherited);
    return completed;
  };
  return { given, ...inherited, complete };
}

/** Adds what the environment says where the options say nothing. A credential in the options overrides both variables. */
function withEnvironment(
  given: Given,
  { warnedOf, environment }: Omit<Resolved, 'given' | 'complete'>,
): ResolvedOptions {
  const fromEnv = (name: string, rule: rules.OptionRule): string | undefined => {
    const value = environment.get(name) ?? readEnv(name);
    if (value === undefined) return undefined;
    clientRules.assertOption(`CONTENTGEN_${name}`, value, rule);
    environment.set(name, value);
    return value;
  };
  const { deployment } = given;
  const level = given.logLevel ?? readEnv('LOG');
  const baseUrl = resolveBaseUrl(
    given.baseUrl ?? fromEnv('BASE_URL', clientRules.baseUrl) ?? deployment?.json.baseUrl,
  );
  const lacksCredential = !hasCredential(given);
  const credential = sentCredential({
    ...given,
    baseUrl,
    ...(lacksCredential && {
      apiKey: fromEnv('API_KEY', clientRules.credential),
      accessToken: fromEnv('ACCESS_TOKEN', clientRules.credential),
    }),
  });
  return Object.freeze({
    ...given,
    baseUrl,
    credential,
    backoff: { ...clientDefaults.backoff, ...defined(given.backoff) },
    headers: { ...userAgent(), ...checkHeaders(given.headers, credential.header) },
    enabledLevels: logLevels.slice(logLevels.indexOf(isLogLevel(level) ? level : 'warn')),
    warnedOf,
    deployment,
  });
}

const hasCredential = ({ apiKey, accessToken }: ClientOptions) =>
  (apiKey ?? accessToken) !== undefined;

function resolveBaseUrl(baseUrl: string | undefined): string {
  if (baseUrl) return withoutTrailing(new URL(baseUrl).href, '/');
  throw new TypeError('No base URL. Pass baseUrl, or set CONTENTGEN_BASE_URL.');
}

/** In lower case, without an idempotency key: one for all calls would make them one call. */
function checkHeaders(headers: Given['headers'], ownHeader: string): Record<string, string> {
  const lowerCase = Object.fromEntries(new Headers(defined(headers) as Record<string, string>));
  const { 'idempotency-key': _, ...rest } = lowerCase;
  clientRules.assertNoCredential(rest, ownHeader, 'Pass it as apiKey or accessToken.');
  return rest;
}
