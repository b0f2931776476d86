import { deploymentRule } from '../deployment-port.ts';
import { callback, checkedLater, matches, mustBe, type OptionRules } from '../options/rules.ts';
import { now, randomId } from '../platform/driver.ts';
import { assertOptions, misconfigured } from '../signing/errors.ts';
import { standardScheme } from '../signing/standard-scheme.ts';
import {
  checkToken,
  idFormat,
  readSecrets,
  type SecretInput,
  schemeRule,
  tokenHeaderOf,
  tokenPrefixOf,
  type VerificationOptions,
  withDeployment,
} from './defaults.ts';
import { type BodyInput, toBytes } from './verify.ts';

/** What {@link signWebhook} signs. */
export interface SignWebhookOptions
  extends Pick<VerificationOptions, 'scheme' | 'deployment' | 'now'> {
  /** `[A-Za-z0-9_-]{1,255}`, the same on every attempt. @default a new `msg_…` */
  readonly id?: string;
  /** Unix seconds of this attempt, or a `Date`. @default now() */
  readonly timestamp?: number | Date;
  /** The body exactly as it will be sent. */
  readonly body: BodyInput;
  /** The secret(s), newest first; each one adds a signature. */
  readonly secret: SecretInput;
  /** Sent as `X-Service-Token`, or as the deployment's `tokenHeader`; 16 to 256 visible ASCII characters. */
  readonly token?: string;
}

const rules: OptionRules<SignWebhookOptions> = {
  id: mustBe('1 to 255 letters, digits, - or _', matches(idFormat)),
  timestamp: mustBe(
    'whole Unix seconds above 0, or a valid Date',
    (time) => time === undefined || /^[1-9]\d{0,11}$/.test(`${toSeconds(time as number | Date)}`),
  ),
  body: checkedLater,
  secret: checkedLater,
  token: checkedLater,
  scheme: schemeRule,
  deployment: deploymentRule,
  now: callback,
};

/**
 * Signs a delivery and returns its headers. Send them with exactly the bytes that were signed.
 *
 * @throws WebhookConfigurationError when an option cannot be used to sign.
 * @example
 * const headers = await signWebhook({ id: 'msg_1', timestamp: 1767225600, body, secret });
 */
export async function signWebhook(given: SignWebhookOptions): Promise<Record<string, string>> {
  assertOptions(given, rules, { payload: 'body' });
  const options = withDeployment(given);
  const { scheme = standardScheme(), token } = options;
  const id = options.id ?? `msg_${randomId().replaceAll('-', '')}`;
  const timestamp = toSeconds(options.timestamp ?? new Date((options.now ?? now)()));
  if (token !== undefined) checkToken(token);
  const headers = await scheme.sign({
    id,
    timestamp,
    body: signedBytes(options.body),
    secrets: readSecrets(options.secret, scheme),
  });
  return token === undefined
    ? headers
    : { ...headers, [tokenHeaderOf(options)]: tokenPrefixOf(options) + token };
}

function toSeconds(time: number | Date): number {
  return time instanceof Date ? Math.floor(time.getTime() / 1000) : time;
}

function signedBytes(body: BodyInput): Uint8Array {
  try {
    return toBytes(body);
  } catch {
    return misconfigured('body is neither a string nor bytes', 'Pass the body as it will be sent.');
  }
}
