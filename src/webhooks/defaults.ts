import { type Deployment, deploymentRule } from '../deployment-port.ts';
import { callback, checkedLater, mustBe, numberFrom, type OptionRules } from '../options/rules.ts';
import { isFunction } from '../options/values.ts';
import { now as platformNow } from '../platform/driver.ts';
import { finite, kindOf, misconfigured } from '../signing/errors.ts';
import { leastBytes, type WebhookSecret } from '../signing/secret.ts';
import type { Scheme } from '../signing/standard-scheme.ts';
import { standardScheme } from '../signing/standard-scheme.ts';
import type { SchemasSource } from './events.ts';
import { type WebhookLogger, warn } from './log.ts';

/** Seconds by which the time of a delivery may differ from the receiver's clock, in either direction, by default. */
export const defaultToleranceS = 300;
/** The options of a receiver or signer, completed by those of its deployment. */
export function withDeployment<
  T extends { readonly deployment?: Deployment; readonly scheme?: Scheme },
>(options: T): T {
  const { deployment } = options;
  return deployment ? { scheme: deployment.scheme, ...options } : options;
}

export const defaultMaxBodyBytes = 1_048_576;
export const tokenHeaderOf = ({ deployment }: { readonly deployment?: Deployment }): string =>
  deployment?.tokenHeader ?? 'X-Service-Token';
export const tokenPrefixOf = ({ deployment }: { readonly deployment?: Deployment }): string =>
  deployment?.tokenPrefix ?? '';

/** One secret, or up to 10: during a rotation the old and the new one. */
export type SecretInput = WebhookSecret | readonly WebhookSecret[];

/** How deliveries are authenticated. */
export interface VerificationOptions {
  /** The signing secret(s). Pass `secret`, `token` or both; if both are given, both must match. */
  readonly secret?: SecretInput;
  /** The secret token(s) of the registration, 16 to 256 visible ASCII characters each, at most 10. */
  readonly token?: string | readonly string[];
  /** How deliveries are signed. @default standardScheme() */
  readonly scheme?: Scheme;
  /** Seconds by which the time of a delivery may differ from now, in either direction, inclusive: 0 to 3 600. @default 300 */
  readonly tolerance?: number;
  /** Largest body in bytes; a larger one is rejected before anything is hashed. @default 1_048_576 */
  readonly maxBodyBytes?: number;
  /**
   * What the service does differently: what `defineDeployment()` of `contentgen/deployment` returns. The other options
   * take precedence.
   * @default the contract
   */
  readonly deployment?: Deployment;
  /** Validate payloads of known types: `() => import('contentgen/schemas')`. @default undefined */
  readonly validate?: SchemasSource;
  /** Where the log is written. @default console */
  readonly logger?: WebhookLogger;
  /** The current time in ms. @default Date.now */
  readonly now?: () => number;
}

export const idFormat = /^[\w-]{1,255}$/;
/** Finds, for instance, the options for a scheme in place of one. */
export const schemeRule = mustBe('a scheme: standardScheme(), or one of your own', (scheme) => {
  const { prepare, sign, check, signatureHeaders, signsEnvelope } = Object(scheme) as Scheme;
  const hasHeaders = Array.isArray(signatureHeaders) && signatureHeaders.length > 0;
  return (
    [prepare, sign, check].every(isFunction) && hasHeaders && typeof signsEnvelope === 'boolean'
  );
});

export const verificationRules: OptionRules<VerificationOptions> = {
  secret: checkedLater,
  token: checkedLater,
  scheme: schemeRule,
  tolerance: numberFrom('0 to 3 600 seconds', 0, 3600),
  maxBodyBytes: finite('bytes', 1),
  deployment: deploymentRule,
  validate: checkedLater,
  logger: checkedLater,
  now: callback,
};

export interface Settings {
  readonly options: VerificationOptions;
  readonly secrets: readonly WebhookSecret[];
  readonly tokens: readonly string[];
  readonly scheme: Scheme;
  /** In lower case. */
  readonly tokenHeader: string;
  /** In lower case. */
  readonly signatureHeaders: readonly string[];
  readonly tolerance: number;
  readonly maxBodyBytes: number;
  readonly now: () => number;
}

/**
 * Fills in the defaults of options that follow their rules, and checks secrets and tokens. A secret or token that is given but undefined, such as an unset
 * variable, is an error: it is never treated as missing.
 *
 * @param secretPerDelivery - A function chooses the secret of each delivery, so nothing can be checked yet.
 */
export function readSettings(given: VerificationOptions, secretPerDelivery = false): Settings {
  const options = withDeployment(given);
  const {
    scheme = standardScheme(),
    tolerance = defaultToleranceS,
    maxBodyBytes = defaultMaxBodyBytes,
    now = platformNow,
  } = options;
  const hasToken = 'token' in options;
  const needsSecret = !secretPerDelivery && (!hasToken || 'secret' in options);
  if (needsSecret && !('secret' in options))
    misconfigured('neither secret nor token is given', 'Pass secret, token or both.');
  return {
    options,
    secrets: needsSecret ? readSecrets(options.secret, scheme, options.logger) : [],
    tokens: hasToken
      ? readList<string>('token', options.token, checkToken).map(
          (token) => tokenPrefixOf(options) + token,
        )
      : [],
    scheme,
    tokenHeader: tokenHeaderOf(options).toLowerCase(),
    signatureHeaders: scheme.signatureHeaders.map((name) => name.toLowerCase()),
    tolerance,
    maxBodyBytes,
    now,
  };
}

/** The secrets as a list of 1 to 10, each one usable. */
export function readSecrets(
  input: SecretInput | undefined,
  scheme: Scheme,
  logger?: WebhookLogger,
): readonly WebhookSecret[] {
  return readList<WebhookSecret>('secret', input, (secret, name) => {
    scheme.prepare(secret, name);
    // Where the deployment decides what a secret is, a short one is accepted.
    if (secret.length >= leastBytes || warned.has(scheme)) return;
    warned.add(scheme);
    warn(
      { logger },
      `The ${name} has fewer than ${leastBytes} bytes and can be guessed. Use a longer one.`,
    );
  });
}

/** The schemes whose short secret was logged. */
const warned = new WeakSet<Scheme>();

function readList<T>(
  name: string,
  input: unknown,
  check: (item: T, name: string) => void,
): readonly T[] {
  if (!Array.isArray(input)) {
    check(input as T, name);
    return [input as T];
  }
  if (input.length === 0) misconfigured(`${name} is an empty list`, `Pass 1 to 10 ${name}s.`);
  if (input.length > 10)
    misconfigured(`${name} is a list of ${input.length}`, `Pass at most 10 ${name}s.`);
  input.forEach((item: T, index) => {
    check(item, `${name} ${index + 1} of ${input.length}`);
  });
  return input as readonly T[];
}

/** Throws unless `token` can be sent as a secret token. Never shows the value. */
export function checkToken(token: unknown, name = 'token'): void {
  const advice = 'Pass 16 to 256 visible ASCII characters.';
  if (typeof token !== 'string' || token === '')
    misconfigured(`${name} is ${kindOf(token)}`, advice);
  if (token.length < 16 || token.length > 256)
    misconfigured(`${name} has ${token.length} characters`, advice);
  if (!/^[!-~]*$/.test(token)) misconfigured(`${name} contains invalid characters`, advice);
}
