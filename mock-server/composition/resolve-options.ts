import { pathsError } from '../api/routes.ts';
import { isObject } from '../api/validate.ts';
import { type Duration, milliseconds } from '../control/arguments.ts';
import { readInstant } from '../control/clock/advance-clock.ts';
import { findFaultError } from '../control/faults/faults.ts';
import { findSeedMistake } from '../control/seed/check-seed-data.ts';
import { formatSeedPath, type SeedPath } from '../control/seed/seed-data.ts';
import { findAdminKeyError, findQuotaError } from '../control/tenants/tenants.ts';
import type { Settings } from '../domain/context.ts';
import { deploymentRule } from '../domain/deployment.ts';
import { systemEvents } from '../domain/event-names.ts';
import { findUnknownOption } from '../domain/known-options.ts';
import { defaults } from './defaults.ts';
import { deploymentSettings } from './deployment.ts';
import { KNOWN_OPTIONS, type MockServerOptions } from './options.ts';

export interface ResolvedOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The base URL without `/v2`: the issuer of tokens. */
  readonly issuer: string;
  /** The path in front of every operation's path, without `/v2`. */
  readonly basePath: string;
  readonly settings: Settings;
  /** Where a manual clock starts, in ms. */
  readonly start: number;
  /** Milliseconds. */
  readonly patience: number;
  /** Whether deliveries can go to other machines. */
  readonly network: boolean;
}

const START = '2026-01-01T00:00:00Z';

const MODELS = ['content-1', 'content-1-mini'];
const REQUEST_HEADERS: readonly string[] = [
  'x-api-key',
  'content-type',
  'content-length',
  'host',
  'idempotency-key',
  'x-request-id',
];
const DELIVERY_HEADERS: readonly string[] = [
  'content-type',
  'content-length',
  'host',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'x-service-signature',
];
/** Fields of generations and of requests for them, other than the callback URL. */
const GENERATION_FIELDS: readonly unknown[] = [
  ...['prompt', 'model', 'maxTokens', 'temperature', 'seed', 'metadata', 'stream'],
  ...['requestId', 'status', 'result', 'usage', 'error', 'createdAt', 'completedAt'],
];
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A wrong option: misuse, hence a TypeError, with the code that control calls use for it. */
class MockOptionError extends TypeError {
  override readonly name = 'MockOptionError';
  readonly code = 'validation_failed';
  /** Where the mistake is in `seedData`. */
  readonly seedPath?: SeedPath;
  /** What is wrong there, as the rest of a sentence that starts with the path. */
  readonly problem?: string;

  constructor(message: string, seed: { readonly path?: SeedPath; readonly problem?: string } = {}) {
    super(`Failed to create the mock server: ${message}`);
    if (seed.path) this.seedPath = seed.path;
    if (seed.problem !== undefined) this.problem = seed.problem;
  }
}

/** @throws TypeError with the code `validation_failed` unless the deployment can be played */
export function assertDeployment({ deployment, scheme }: MockServerOptions): void {
  if (deployment === undefined) return;
  const problem = deploymentRule(deployment);
  assertOption(problem === undefined, `deployment ${problem}`);
  const { type, sign } = Object(deployment.scheme);
  assertOption(
    type !== 'ed25519' || typeof (scheme ?? { sign }).sign === 'function',
    'deployment.scheme is ed25519, which needs a private key. Pass scheme: ed25519({ privateKey }) too, or --signing-key.',
  );
}

function assertOption(condition: boolean, message: string): asserts condition {
  if (!condition) throw new MockOptionError(message);
}

/**
 * Validates every option and fills in the defaults.
 *
 * @throws TypeError with the code `validation_failed`, naming the option
 */
export function resolveOptions(options: MockServerOptions, version: string): ResolvedOptions {
  checkNames(options);
  checkBehavior(options);
  checkDeployment(options);
  const url = baseUrlOf(options.baseUrl);
  const basePath = url.pathname.replace(/\/+$/, '').replace(/\/v2$/, '');
  const { rateLimit, models = [] } = options;
  const resolved: ResolvedOptions = {
    baseUrl: url.href.replace(/\/+$/, ''),
    issuer: url.origin + basePath,
    basePath,
    start: startOf(options),
    patience: patienceOf(options),
    network: networkOf(options),
    settings: {
      quota: options.quota ?? defaults.quota,
      models: [...new Set([...MODELS, ...models])],
      streamGrace: streamGraceOf(options),
      processingTime: processingTimeOf(options),
      eventNames: options.eventNames ?? {},
      ...deploymentSettings(options),
      tokenHeader: options.tokenHeader ?? 'X-Service-Token',
      userAgent: `contentgen-webhooks/${version}`,
      strictHttps: options.strictHttps ?? false,
      allowPrivate: options.allowPrivate ?? false,
      allowLoopback: true,
      ...(rateLimit && { rateLimit }),
      logBodies: options.logBodies ?? true,
      logLimit: options.logLimit ?? defaults.logLimit,
      retention: retentionOf(options),
    },
  };
  checkSeedData(options, resolved);
  return resolved;
}

function checkSeedData({ seedData, clock }: MockServerOptions, resolved: ResolvedOptions): void {
  if (seedData === undefined) return;
  const { settings, start } = resolved;
  const now = clock === 'manual' ? start : Date.now();
  const mistake = findSeedMistake(seedData, { settings, now });
  if (!mistake) return;
  const { path, problem } = mistake;
  throw new MockOptionError(`${formatSeedPath(['seedData', ...path])} ${problem}`, mistake);
}

function checkNames(options: MockServerOptions): void {
  const { rateLimit, processingTime } = options;
  const unknown =
    findUnknownOption(options, KNOWN_OPTIONS) ??
    findUnknownOption(
      Object(rateLimit),
      { limit: true, windowSeconds: true },
      'field of rateLimit',
    ) ??
    findUnknownOption(Object(processingTime), { min: true, max: true }, 'field of processingTime');
  assertOption(unknown === undefined, `${unknown}`);
}

/** Checks the options that say what the mock does. */
function checkBehavior(options: MockServerOptions): void {
  const { clock, quota, adminKey, models, rateLimit, faults = [], scheme } = options;
  const isClock = clock === undefined || clock === 'manual' || clock === 'real';
  assertOption(isClock, "clock must be 'manual' or 'real'.");
  checkWholeNumber('seed', options.seed, 0);
  checkWholeNumber('logLimit', options.logLimit, 1);
  const isFlag = [undefined, true, false].includes(options.examples);
  assertOption(isFlag, `examples must be true or false, not ${kindOf(options.examples)}.`);
  const credentialError = findQuotaError(quota) ?? findAdminKeyError(adminKey);
  assertOption(credentialError === undefined, `${credentialError}`);
  for (const name of [
    'generator',
    'estimateTokens',
    'transport',
    'onError',
    'onWarning',
  ] as const) {
    checkFunction(name, options[name]);
  }
  assertOption(
    options.ca === undefined || /-----BEGIN [A-Z ]*CERTIFICATE-----/.test(options.ca),
    'ca must be the PEM text of one or more certificates, starting with -----BEGIN CERTIFICATE-----.',
  );
  if (scheme !== undefined) checkFunction('scheme.sign', scheme.sign);
  assertOption(
    models === undefined || (Array.isArray(models) && models.every(isText)),
    'models must be an array of non-empty strings.',
  );
  assertOption(
    rateLimit === undefined ||
      (isObject(rateLimit) && rateLimit.limit >= 1 && rateLimit.windowSeconds > 0),
    'rateLimit must have a limit of at least 1 and windowSeconds above 0.',
  );
  assertOption(Array.isArray(faults), `faults must be an array, not ${kindOf(faults)}.`);
  for (const [index, fault] of faults.entries()) {
    const error = findFaultError(fault);
    assertOption(error === undefined, `faults[${index}] is not valid: ${error}`);
  }
}

/** Checks the options that say where a deployment differs from the contract. */
function checkDeployment(options: MockServerOptions): void {
  checkHeader('accessTokenHeader', options.accessTokenHeader, REQUEST_HEADERS);
  checkHeader('tokenHeader', options.tokenHeader, DELIVERY_HEADERS);
  checkField('webhookUrlField', options.webhookUrlField);
  checkEventNames(options.eventNames ?? {});
  const pathError = pathsError(options.paths ?? {});
  assertOption(pathError === undefined, `${pathError}`);
}

function checkWholeNumber(name: string, value: number | undefined, lowest: number): void {
  const valid = value === undefined || (Number.isSafeInteger(value) && value >= lowest);
  assertOption(valid, `${name} must be a whole number of at least ${lowest}.`);
}

function checkFunction(name: string, value: unknown): void {
  const valid = value === undefined || typeof value === 'function';
  assertOption(valid, `${name} must be a function, not ${kindOf(value)}.`);
}

function checkHeader(name: string, value: string | undefined, reserved: readonly string[]): void {
  if (value === undefined) return;
  assertOption(HEADER_NAME.test(value), `${name} must be a valid header name.`);
  assertOption(
    !reserved.includes(value.toLowerCase()),
    `${name} cannot be ${value}: that header has another use. Choose another name.`,
  );
}

function checkField(name: string, value: unknown): void {
  if (value === undefined) return;
  assertOption(isText(value), `${name} must be a non-empty string.`);
  assertOption(
    !GENERATION_FIELDS.includes(value),
    `${name} cannot be ${value}: that field has another use. Choose another name.`,
  );
}

function checkEventNames(names: Readonly<Record<string, unknown>>): void {
  const known: readonly string[] = systemEvents;
  for (const [event, name] of Object.entries(names)) {
    assertOption(
      known.includes(event),
      `eventNames has no event ${event}. The events are ${known.join(', ')}.`,
    );
    assertOption(isText(name), `eventNames.${event} must be a non-empty string.`);
  }
  const all = known.map((event) => names[event] ?? event);
  assertOption(
    new Set(all).size === all.length,
    'eventNames gives two events the same name. Give each its own.',
  );
}

function processingTimeOf(options: MockServerOptions): Settings['processingTime'] {
  const { processingTime, clock, generator } = options;
  if (processingTime === undefined) {
    return clock === 'manual' || generator ? { min: 0, max: 0 } : defaults.processingTime;
  }
  const { min, max } =
    typeof processingTime === 'number'
      ? { min: processingTime, max: processingTime }
      : Object(processingTime);
  assertOption(
    min >= 0 && max >= min && Number.isFinite(max),
    'processingTime must be at least 0 (milliseconds): a number, or { min, max } with min not above max.',
  );
  return { min, max };
}

function startOf({ start, clock }: MockServerOptions): number {
  assertOption(
    start === undefined || clock === 'manual',
    "start needs clock: 'manual'. A real clock follows the wall clock.",
  );
  const at = readInstant(start ?? START);
  assertOption(
    at !== undefined,
    "start must be a time such as '2026-02-01T00:00:00Z', between 1970 and November 9999, or 'now'.",
  );
  return at;
}

function networkOf({ network, clock, allowPrivate, ca }: MockServerOptions): boolean {
  const valid = network === undefined || typeof network === 'boolean';
  assertOption(valid, `network must be true or false, not ${kindOf(network)}.`);
  return network ?? (allowPrivate || ca !== undefined || !(clock === 'manual' || isTestRun()));
}

function retentionOf({ retention = {} }: MockServerOptions): Settings['retention'] {
  assertOption(isObject(retention), 'retention must be an object with count, age or both.');
  const unknown = Object.keys(retention).find((name) => name !== 'count' && name !== 'age');
  assertOption(unknown === undefined, `retention has no member ${unknown}: it has count and age.`);
  const { count = defaults.generations, age } = retention;
  checkWholeNumber('retention.count', count, 1);
  if (age === undefined) return { count };
  const ms = readMilliseconds(age);
  assertOption(
    ms !== undefined && ms >= 60_000,
    "retention.age must be at least one minute, as ms or a string such as '7 days'.",
  );
  return { count, age: ms };
}

function streamGraceOf({ streamGrace = defaults.streamGrace }: MockServerOptions): number {
  const ms = readMilliseconds(streamGrace) ?? -1;
  assertOption(ms >= 0, "streamGrace must be at least 0, as ms or a string such as '60 s'.");
  return ms;
}

function readMilliseconds(duration: Duration): number | undefined {
  try {
    return milliseconds(duration);
  } catch {
    return undefined;
  }
}

function patienceOf({ patience = defaults.patience }: MockServerOptions): number {
  assertOption(patience >= 0, 'patience must be a number of milliseconds of at least 0.');
  return patience;
}

/** The base URL of a mock created without `baseUrl`. */
export const DEFAULT_BASE_URL = 'https://api.contentgen.test';

function baseUrlOf(baseUrl = DEFAULT_BASE_URL): URL {
  const message = 'baseUrl must be an http(s) URL without a query or a fragment.';
  assertOption(URL.canParse(baseUrl), message);
  const url = new URL(baseUrl);
  assertOption(/^https?:$/.test(url.protocol) && url.search === '' && url.hash === '', message);
  return url;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

/** What test runners set: Vitest, Jest, `node --test`, and most others through `NODE_ENV`. */
const runnerVariables = ['VITEST', 'JEST_WORKER_ID', 'NODE_TEST_CONTEXT'];

/** Whether this process runs tests, as far as its environment says. */
function isTestRun(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const env = process?.env ?? {};
  return env['NODE_ENV'] === 'test' || runnerVariables.some((name) => env[name] !== undefined);
}
