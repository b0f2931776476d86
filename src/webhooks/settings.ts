import type { Checker, Scheme } from '../signing/create-scheme.ts';
import { checkNumber, misconfigured } from '../signing/errors.ts';
import type { WebhookSecret } from '../signing/secret.ts';
import { standardChecker } from '../signing/standard.ts';
import type { EventNames } from './events.ts';

/** Where diagnoses and failures are told; `console` fits. */
export interface WebhookLogger {
  warn(message: string): void;
  error(message: string): void;
}

/** The generated schemas, `contentgen/schemas`, as a module or a function that imports it. */
export type SchemasSource = object | (() => Promise<object>);

/** One secret or several: during a rotation the old and the new one, at most 10. */
export type SecretInput = WebhookSecret | readonly WebhookSecret[];

/** What authenticates a delivery, and how strictly. */
export interface VerificationOptions {
  /** The signing secret(s). At least one of `secret` and `token` is required; both given: both must hold. */
  readonly secret?: SecretInput;
  /** The secret token(s) of the registration, 16 to 256 visible ASCII characters. */
  readonly token?: string | readonly string[];
  /** `[A-Za-z0-9_-]{1,255}`. @default 'X-Service-Token' */
  readonly tokenHeader?: string;
  /** How deliveries are signed. @default standardScheme() */
  readonly scheme?: Scheme;
  /** Seconds by which the delivery's time may differ, either way, inclusive. @default 300 */
  readonly tolerance?: number;
  /**
   * Accept deliveries without `webhook-timestamp` where the scheme does not sign it, or with `token`
   * alone. Replays are then held off by a dedupe store only. @default false
   */
  readonly allowUntimed?: boolean;
  /** Largest body in bytes; it is refused before anything is hashed. @default 1_048_576 */
  readonly maxBodyBytes?: number;
  /** Our event type → the name that this deployment sends. */
  readonly eventNames?: EventNames;
  /** Check payloads of known types: `() => import('contentgen/schemas')`. @default undefined */
  readonly validate?: SchemasSource;
  /** Explain mismatches in the log. @default true when `NODE_ENV` is `development` or `test` */
  readonly diagnose?: boolean;
  /** @default console */
  readonly logger?: WebhookLogger;
  /** The current time in ms. @default Date.now */
  readonly now?: () => number;
}

/** Options, validated and with their defaults. */
export interface Settings {
  readonly options: VerificationOptions;
  readonly secrets: readonly WebhookSecret[];
  readonly tokens: readonly string[];
  readonly scheme: Checker & { readonly name?: string };
  /** Lower case: two of HTTP, id, time, token, then the signature headers. */
  readonly wanted: readonly string[];
  readonly tolerance: number;
  readonly maxBodyBytes: number;
  readonly now: () => number;
}

/** One or several, up to 10, each one checked. */
function listOf<T>(name: string, input: unknown, check: (one: T) => void): readonly T[] {
  const all = (Array.isArray(input) ? input : [input]) as T[];
  if (!all.length || all.length > 10) misconfigured(`${name} must be 1 to 10`);
  all.forEach(check);
  return all;
}

/** The secrets of one delivery or of all, each one usable. */
export function checkSecrets(input: SecretInput | undefined, scheme: Checker) {
  return listOf<WebhookSecret>('secret', input, scheme.prepare);
}

/** Refuses what is no text of that form. */
function checkText(name: string, text: unknown, form: RegExp): void {
  if (typeof text !== 'string' || !form.test(text)) misconfigured(`${name} must match ${form}`);
}

/** Refuses what is no secret token. */
export function checkToken(token: unknown): void {
  checkText('token', token, /^[!-~]{16,256}$/);
}

/** Of the id of a message, and of a header's name. */
export const nameForm = /^[\w-]{1,255}$/;

/** Refuses what is no name of a header. */
export function checkTokenHeader(name: unknown): void {
  checkText('tokenHeader', name, nameForm);
}

let latest: readonly [Checker?, string?, (readonly string[])?] = [];

/** Kept for the next delivery, which most often has the same. */
function wantedBy(scheme: Checker, tokenHeader: string): readonly string[] {
  if (latest[0] === scheme && latest[1] === tokenHeader) return latest[2] as string[];
  checkTokenHeader(tokenHeader);
  const wanted = [
    'content-encoding',
    'content-length',
    'webhook-id',
    'webhook-timestamp',
    tokenHeader,
    ...scheme.signatureHeaders,
  ].map((name) => name.toLowerCase());
  latest = [scheme, tokenHeader, wanted];
  return wanted;
}

/**
 * Whole settings. With `secretLater` a function chooses the secret of each delivery.
 * An option that is given but undefined, such as an unset variable, is refused and not read as absent.
 */
export function readSettings(options: VerificationOptions, secretLater?: boolean): Settings {
  const {
    scheme = standardChecker,
    tokenHeader = 'x-service-token',
    tolerance = 300,
    maxBodyBytes = 1_048_576,
    now = Date.now,
  } = options;
  const byToken = 'token' in options;
  checkNumber('tolerance', tolerance, 0);
  checkNumber('maxBodyBytes', maxBodyBytes, 1);
  return {
    options,
    secrets:
      secretLater || (byToken && !('secret' in options))
        ? []
        : checkSecrets(options.secret, scheme),
    tokens: byToken ? listOf<string>('token', options.token, checkToken) : [],
    scheme,
    wanted: wantedBy(scheme, tokenHeader),
    tolerance,
    maxBodyBytes,
    now,
  };
}
