import { misconfigured } from '../signing/errors.ts';
import { type Scheme, standardScheme } from '../signing/scheme.ts';
import { type BodyInput, toBytes } from './body.ts';
import { checkSecrets, checkToken, checkTokenHeader, type SecretInput } from './settings.ts';

/** What {@link signWebhook} signs. */
export interface SignWebhookOptions {
  /** `[A-Za-z0-9_-]{1,255}`, the same on every attempt. @default a fresh `msg_…` */
  readonly id?: string;
  /** Unix seconds of this attempt, or a `Date`. @default now() */
  readonly timestamp?: number | Date;
  /** The body exactly as it will be sent. */
  readonly body: BodyInput;
  /** The secret(s), the newest first; each one signs. */
  readonly secret: SecretInput;
  /** Sent as `tokenHeader`, verbatim; 16 to 256 visible ASCII characters. */
  readonly token?: string;
  /** @default 'X-Service-Token' */
  readonly tokenHeader?: string;
  /** @default standardScheme() */
  readonly scheme?: Scheme;
  /** The current time in ms. @default Date.now */
  readonly now?: () => number;
}

/**
 * The headers of a signed delivery, to be sent with the very same bytes.
 *
 * @throws WebhookConfigurationError when an option cannot be signed with.
 * @example
 * const headers = await signWebhook({ id: 'msg_1', timestamp: 1767225600, body, secret });
 */
export async function signWebhook(options: SignWebhookOptions): Promise<Record<string, string>> {
  const { scheme = standardScheme(), token, tokenHeader = 'X-Service-Token' } = options;
  const id = options.id ?? `msg_${crypto.randomUUID().replaceAll('-', '')}`;
  const timestamp = seconds(options.timestamp ?? new Date((options.now ?? Date.now)()));
  if (!/^[\w-]{1,255}$/.test(id)) misconfigured('id must match [A-Za-z0-9_-]{1,255}');
  if (!/^[1-9]\d{0,11}$/.test(`${timestamp}`)) misconfigured('timestamp must be Unix seconds');
  if (token !== undefined) checkToken(token);
  checkTokenHeader(tokenHeader);
  const headers = await scheme.sign({
    id,
    timestamp,
    body: bodyBytes(options.body),
    secrets: checkSecrets(options.secret, scheme),
  });
  return token === undefined ? headers : { ...headers, [tokenHeader]: token };
}

function seconds(time: number | Date): number {
  return time instanceof Date ? Math.floor(time.getTime() / 1000) : time;
}

function bodyBytes(body: BodyInput): Uint8Array {
  try {
    return toBytes(body);
  } catch {
    return misconfigured('body to sign must be a string or bytes');
  }
}
