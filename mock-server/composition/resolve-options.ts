import { milliseconds } from '../control/arguments.ts';
import { readInstant } from '../control/clock/advance-clock.ts';
import type { Settings } from '../domain/context.ts';
import { deploymentRule } from '../domain/deployment.ts';
import { optionMistake } from '../domain/options.ts';
import { withoutTrailing } from '../domain/redact.ts';
import { defaults } from './defaults.ts';
import { deploymentSettings } from './deployment.ts';
import { mockRules } from './option-rules.ts';
import type { MockServerOptions } from './options.ts';

export interface ResolvedOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The base URL without `/v2`: the issuer of tokens. */
  readonly issuer: string;
  readonly basePath: string;
  readonly settings: Settings;
  readonly start: number;
  readonly patience: number;
  readonly network: boolean;
}

const MODELS = ['content-1', 'content-1-mini'];

/** A wrong option: a `TypeError` with the code that control calls use for a wrong argument. */
class MockOptionError extends TypeError {
  override readonly name = 'MockOptionError';
  readonly code = 'validation_failed';

  constructor(message: string) {
    super(`Failed to create the mock server: ${message}`);
  }
}

function assertOption(condition: boolean, message: string): asserts condition {
  if (!condition) throw new MockOptionError(message);
}

/** @throws TypeError with the code `validation_failed` unless the deployment can be played */
export function assertDeployment({ deployment }: MockServerOptions): void {
  if (deployment === undefined) return;
  const problem = deploymentRule(deployment);
  assertOption(problem === undefined, `deployment ${problem}`);
}

/**
 * Validates every option and fills in the defaults.
 *
 * @throws TypeError with the code `validation_failed`, naming the option
 */
export function resolveOptions(options: MockServerOptions, version: string): ResolvedOptions {
  const mistake = optionMistake(options, mockRules);
  assertOption(mistake === undefined, `${mistake}`);
  assertOption(
    options.start === undefined || options.clock === 'manual',
    "start needs clock: 'manual'. A real clock follows the wall clock.",
  );
  const url = new URL(options.baseUrl ?? defaults.baseUrl);
  const basePath = withoutTrailing(url.pathname, '/').replace(/\/v2$/, '');
  const { rateLimit, models = [] } = options;
  return {
    baseUrl: withoutTrailing(url.href, '/'),
    issuer: url.origin + basePath,
    basePath,
    start: readInstant(options.start ?? defaults.start) as number,
    patience: options.patience ?? defaults.patience,
    network: networkOf(options),
    settings: {
      quota: options.quota ?? defaults.quota,
      models: [...new Set([...MODELS, ...models])],
      streamGrace: milliseconds(options.streamGrace ?? defaults.streamGrace),
      processingTime: processingTimeOf(options),
      ...deploymentSettings(options),
      tokenHeader: options.deployment?.tokenHeader ?? 'X-Service-Token',
      tokenPrefix: options.deployment?.tokenPrefix ?? '',
      userAgent: `contentgen-webhooks/${version}`,
      strictHttps: options.deliveries?.strictHttps ?? false,
      allowPrivate: options.deliveries?.allowPrivate ?? false,
      allowLoopback: true,
      ...(rateLimit && { rateLimit }),
      logBodies: options.logBodies ?? true,
      logLimit: options.retention?.lines ?? defaults.logLimit,
      retention: {
        count: options.retention?.count ?? defaults.generations,
        bytes: options.retention?.bytes ?? defaults.historyBytes,
      },
    },
  };
}

function processingTimeOf(options: MockServerOptions): Settings['processingTime'] {
  const { processingTime, clock, generator } = options;
  if (typeof processingTime === 'number') return { min: processingTime, max: processingTime };
  if (processingTime) return processingTime;
  return clock === 'manual' || generator ? { min: 0, max: 0 } : defaults.processingTime;
}

function networkOf({ clock, deliveries = {} }: MockServerOptions): boolean {
  const { network, allowPrivate = false, ca } = deliveries;
  return (
    network ?? (allowPrivate !== false || ca !== undefined || !(clock === 'manual' || isTestRun()))
  );
}

/** What test runners set: Vitest, Jest, `node --test`, and most others through `NODE_ENV`. */
const runnerVariables = ['VITEST', 'JEST_WORKER_ID', 'NODE_TEST_CONTEXT'];

/** Whether this process runs tests, as far as its environment says. */
export function isTestRun(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const env = process?.env ?? {};
  return env['NODE_ENV'] === 'test' || runnerVariables.some((name) => env[name] !== undefined);
}
