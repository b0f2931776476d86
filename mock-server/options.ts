import { faultOfPaths } from './api/routes.ts';
import type { OperationId } from './contract.ts';
import type { ControlError } from './control/control-error.ts';
import { checkFault, type FaultOptions } from './control/faults.ts';
import { checkAdminKey, checkQuota } from './control/tenants.ts';
import type { Settings } from './domain/context.ts';
import type { Generator, Signer, Store, Transport } from './domain/ports.ts';
import type { SystemEvent } from './domain/records.ts';

/** How deliveries are signed: `standardScheme()`, `plainHmac(…)`, or anything with the same `sign`. */
export interface SigningScheme {
  sign: Signer;
}

export interface MockServerOptions {
  /** Where clients find it; with or without `/v2`. @default 'https://api.contentgen.test' */
  readonly baseUrl?: string;
  /** A whole number that makes ids, keys, texts and times reproducible. @default the platform's randomness */
  readonly seed?: number;
  /** `'manual'` starts at 2026-01-01T00:00:00.000Z and moves by `clock.advance` alone. @default 'real' */
  readonly clock?: 'manual' | 'real';
  /** Tokens per organization and calendar month. @default 1_000_000 */
  readonly quota?: number;
  /** Faults to arm from the start. @default [] */
  readonly faults?: readonly FaultOptions[];
  /**
   * From acceptance to completion, in ms; between two bounds it is drawn under the seed. Synchronous and streamed
   * generations never wait for a manual clock.
   * @default { min: 300, max: 1500 } on a real clock, 0 on a manual one and with a `generator` of your own
   */
  readonly processingTime?: number | { readonly min: number; readonly max: number };
  /** Writes the texts. What it throws makes the generation fail. @default deterministic text about the prompt */
  readonly generator?: Generator;
  /** Models that requests may name beside `content-1` and `content-1-mini`. @default [] */
  readonly models?: readonly string[];
  /** Counts the tokens of a text, rounded up; what it throws makes the generation fail. @default an estimate */
  readonly estimateTokens?: (text: string) => number;
  /** Requests per credential, refilled evenly. @default none */
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
  /** Refuses `http:` callback URLs on loopback too. @default false */
  readonly strictHttps?: boolean;
  /** Delivers to private and loopback addresses, and by `http:`, too. @default false */
  readonly allowPrivate?: boolean;
  /** Paths of operations where your deployment's differ, without prefix. @default the contract's */
  readonly paths?: Readonly<Partial<Record<OperationId, string>>>;
  /** Name of the callback field of `generateContent`, in requests and in generations. @default 'webhookUrl' */
  readonly webhookUrlField?: string;
  /** Header that carries a JWT; any but `Authorization` carries it bare. @default 'Authorization' */
  readonly accessTokenHeader?: string;
  /** How deliveries are signed. @default standardScheme() */
  readonly scheme?: SigningScheme;
  /** Header that carries a registration's token. @default 'X-Service-Token' */
  readonly tokenHeader?: string;
  /** Your deployment's names of events. @default the contract's */
  readonly eventNames?: Readonly<Partial<Record<SystemEvent, string>>>;
  /** Further public keys whose tokens are trusted, each with a `kid`. @default none */
  readonly jwks?: { readonly keys: readonly object[] };
  /** An admin key of your own, with an API key's format and checksum. @default a made one */
  readonly adminKey?: string;
  /** Sends deliveries that no receiver function takes. @default the network where there is one */
  readonly transport?: Transport;
  /** Where state is kept; one that holds an organization is resumed. @default memory */
  readonly store?: Store;
  /**
   * Lines kept of each log, and finished deliveries. Of requests, never more than 32 MiB of bodies are kept: the oldest
   * lines go first.
   * @default 10_000
   */
  readonly logLimit?: number;
  /** Told of unexpected errors: of the server, or of a `generator` or tokenizer of your own. @default console.error */
  readonly onError?: (error: unknown) => void;
}

/** Every option there is: a name forgotten here does not compile. */
const OPTIONS: Readonly<Record<keyof MockServerOptions, true>> = {
  baseUrl: true,
  seed: true,
  clock: true,
  quota: true,
  faults: true,
  processingTime: true,
  generator: true,
  models: true,
  estimateTokens: true,
  rateLimit: true,
  strictHttps: true,
  allowPrivate: true,
  paths: true,
  webhookUrlField: true,
  accessTokenHeader: true,
  scheme: true,
  tokenHeader: true,
  eventNames: true,
  jwks: true,
  adminKey: true,
  transport: true,
  store: true,
  logLimit: true,
  onError: true,
};
const MODELS = ['content-1', 'content-1-mini'];
const OF_REQUESTS: ReadonlySet<string> = new Set([
  'x-api-key',
  'content-type',
  'content-length',
  'host',
  'idempotency-key',
  'x-request-id',
]);
const OF_DELIVERIES: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'host',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-signature',
]);
/** What generations and requests for them hold beside the callback's URL. */
const OF_GENERATIONS: ReadonlySet<string> = new Set([
  ...['prompt', 'model', 'maxTokens', 'temperature', 'seed', 'metadata', 'stream'],
  ...['requestId', 'status', 'result', 'usage', 'error', 'createdAt', 'completedAt'],
]);
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** An option that makes no sense: misuse, and so a TypeError, under the control plane's code for it. */
class MockOptionError extends TypeError {
  override readonly name = 'MockOptionError';
  readonly code = 'validation_failed';
}

function refuse(message: string): never {
  throw new MockOptionError(`Failed to create the mock server: ${message}`);
}

/** Runs a check that control calls share. */
function checked(check: () => void): void {
  try {
    check();
  } catch (error) {
    refuse((error as ControlError).message);
  }
}

function checkHeader(name: string, value: string | undefined, taken: ReadonlySet<string>): void {
  if (value === undefined) return;
  if (!HEADER.test(value)) refuse(`${name} must be a header name.`);
  if (taken.has(value.toLowerCase())) refuse(`${name} must not be ${value}: it has its own use.`);
}

function checkField(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'string' || value === '') refuse(`${name} must be a name.`);
  if (OF_GENERATIONS.has(value)) refuse(`${name} must not be ${value}: it has its own use.`);
}

function checkNumber(name: string, value: number | undefined, lowest: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= lowest)) return;
  refuse(`${name} must be a whole number of at least ${lowest}.`);
}

const EVENTS: Readonly<Record<SystemEvent, true>> = {
  usage_threshold: true,
  invoice_paid: true,
  invoice_payment_failed: true,
  data_updated: true,
};

function checkEventNames(names: Readonly<Record<string, unknown>>): void {
  for (const [event, name] of Object.entries(names)) {
    if (!Object.hasOwn(EVENTS, event)) refuse(`eventNames: there is no event ${event}.`);
    if (typeof name !== 'string' || name === '') refuse(`eventNames.${event} must be a name.`);
  }
  const all = Object.keys(EVENTS).map((event) => names[event] ?? event);
  if (new Set(all).size < all.length) refuse('eventNames must tell the events apart.');
}

function processingTimeOf(options: MockServerOptions): Settings['processingTime'] {
  const { processingTime, clock, generator } = options;
  if (processingTime === undefined) {
    return clock === 'manual' || generator ? { min: 0, max: 0 } : { min: 300, max: 1500 };
  }
  const { min, max } =
    typeof processingTime === 'number'
      ? { min: processingTime, max: processingTime }
      : processingTime;
  if (!(min >= 0 && max >= min && Number.isFinite(max))) {
    refuse('processingTime must be milliseconds of at least 0, min not above max.');
  }
  return { min, max };
}

function baseUrlOf(baseUrl = 'https://api.contentgen.test'): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const fits = url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!fits) refuse('baseUrl must be an http(s) URL without query.');
  return url as URL;
}

export interface ResolvedOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The base URL without `/v2`: the issuer of tokens. */
  readonly issuer: string;
  /** Path before every operation's, without a version prefix. */
  readonly basePath: string;
  readonly settings: Settings;
}

/**
 * Checks every option once and fills in the defaults.
 *
 * @throws TypeError with the code `validation_failed`, naming the option
 */
export function resolveOptions(options: MockServerOptions, version: string): ResolvedOptions {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(OPTIONS, name)) continue;
    refuse(`there is no option ${name}. Known: ${Object.keys(OPTIONS).join(', ')}.`);
  }
  const url = baseUrlOf(options.baseUrl);
  const { rateLimit, webhookUrlField, models = [] } = options;
  if (options.clock !== undefined && !['manual', 'real'].includes(options.clock)) {
    refuse("clock must be 'manual' or 'real'.");
  }
  checkNumber('seed', options.seed, 0);
  checkNumber('logLimit', options.logLimit, 1);
  checked(() => checkQuota(options.quota));
  checked(() => checkAdminKey(options.adminKey));
  checkHeader('accessTokenHeader', options.accessTokenHeader, OF_REQUESTS);
  checkHeader('tokenHeader', options.tokenHeader, OF_DELIVERIES);
  if (!Array.isArray(models) || !models.every((model) => typeof model === 'string' && model)) {
    refuse('models must be a list of names.');
  }
  for (const name of ['generator', 'estimateTokens', 'transport', 'onError'] as const) {
    const given: unknown = options[name];
    if (given !== undefined && typeof given !== 'function') refuse(`${name} must be a function.`);
  }
  checkField('webhookUrlField', webhookUrlField);
  if (rateLimit && !(rateLimit.limit >= 1 && rateLimit.windowSeconds > 0)) {
    refuse('rateLimit needs a limit of at least 1 and a windowSeconds above 0.');
  }
  for (const fault of options.faults ?? []) checked(() => checkFault(fault));
  checkEventNames(options.eventNames ?? {});
  const badPath = faultOfPaths(options.paths ?? {});
  if (badPath !== undefined) refuse(badPath);
  const basePath = url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '');
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    issuer: url.origin + basePath,
    basePath,
    settings: {
      quota: options.quota ?? 1_000_000,
      models: [...new Set([...MODELS, ...models])],
      processingTime: processingTimeOf(options),
      eventNames: options.eventNames ?? {},
      tokenHeader: options.tokenHeader ?? 'X-Service-Token',
      userAgent: `contentgen-webhooks/${version}`,
      strictHttps: options.strictHttps ?? false,
      allowPrivate: options.allowPrivate ?? false,
      ...(rateLimit && { rateLimit }),
      logLimit: options.logLimit ?? 10_000,
    },
  };
}
