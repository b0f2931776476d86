import type { CheckInput, Verdict } from '../signing/create-scheme.ts';
import { assertKnownOptions, misconfigured, WebhookError } from '../signing/errors.ts';
import { matchesAny } from '../signing/hmac.ts';
import { isDiagnosisDue } from './diagnosis-due.ts';
import { reject, WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './events.ts';
import { parseEvent } from './events.ts';
import {
  type BodyInput,
  capLength,
  type HeadersInput,
  readBody,
  readHeaders,
  toBytes,
} from './read-delivery.ts';
import {
  idFormat,
  readSettings,
  type Settings,
  type VerificationOptions,
  verificationOptionNames,
} from './settings.ts';

/** A delivery to verify: a fetch `Request` whose body is unread, or its `body` and `headers`. */
export type VerifyWebhookOptions = VerificationOptions &
  (
    | {
        /** The request, if its body has not been read yet. */
        readonly request: Request;
        readonly body?: never;
        readonly headers?: never;
      }
    | {
        /** The body as it was received: bytes, or text that was never parsed. */
        readonly body: BodyInput;
        /** The headers of the request. */
        readonly headers: HeadersInput;
        readonly request?: never;
      }
  );

const optionNames = { ...verificationOptionNames, request: true, body: true, headers: true };
const aliases = { payload: 'body', rawbody: 'body', req: 'request', signature: 'headers' };

/**
 * Verifies a delivery and returns its event. The body must be as received: the bytes, or the undecoded text.
 *
 * @throws WebhookVerificationError when the delivery is rejected: branch on `code`.
 * @throws WebhookConfigurationError when the options are wrong. Nothing else is ever thrown.
 * @example
 * const event = await verifyWebhook({ request, secret: process.env.CONTENTGEN_WEBHOOK_SECRET! });
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  try {
    assertKnownOptions(options, optionNames, aliases);
    const settings = readSettings(options);
    const { request } = options;
    if (!request) {
      const body = toBytes(options.body);
      return await verifyBody(settings, readEnvelope(settings, options.headers), body);
    }
    const envelope = readEnvelope(settings, request.headers);
    const body = await readBody(request, settings.maxBodyBytes);
    return await verifyBody(settings, envelope, body);
  } catch (error) {
    if (isWebhookError(error)) throw error;
    return misconfigured('an option or the input threw an error', 'See the cause.', error);
  }
}

function isWebhookError(error: unknown): boolean {
  try {
    return error instanceof WebhookError;
  } catch {
    // An option can throw a proxy, whose traps throw in turn.
    return false;
  }
}

/** What the headers of a delivery say, after every check that needs no body. */
export type Envelope = Omit<CheckInput, 'body' | 'secrets'>;

/** Verifies the body that came with checked headers. Synchronous where the platform hashes synchronously. */
export function verifyBody(
  settings: Settings,
  { id, timestamp, signature }: Envelope,
  body: Uint8Array,
): WebhookEvent | Promise<WebhookEvent> {
  const { secrets } = settings;
  capLength(body.length, settings.maxBodyBytes);
  const delivery = { id, timestamp, signature, body, secrets };
  const verdict = secrets.length > 0 ? settings.scheme.check(delivery) : 'valid';
  if (verdict === 'valid') return parseEvent(settings.options, delivery);
  return conclude(settings, delivery, verdict);
}

async function conclude(
  settings: Settings,
  delivery: CheckInput,
  check: Verdict | Promise<Verdict>,
): Promise<WebhookEvent> {
  const verdict = await check;
  if (verdict === 'valid') return parseEvent(settings.options, delivery);
  if (isDiagnosisDue(settings)) await logDiagnosis(settings, delivery);
  return reject(verdict);
}

/** Checks the headers, so that a delivery they rule out is rejected before its body is read. */
export function readEnvelope(settings: Settings, headers: HeadersInput): Envelope {
  const { tokens, maxBodyBytes, headerNames } = settings;
  const values = readHeaders(headers, headerNames);
  const [encoding, length, id, time, token = '', first, second] = values;
  if (encoding && !/^identity$/i.test(encoding)) reject('unsupported_encoding');
  capLength(length, maxBodyBytes);
  if (first && second && first !== second) reject('duplicate_header');
  const signature = first || second || '';
  checkEnvelope(settings, id, time, signature);
  if (tokens.length > 0 && !matchesAny(tokens, [token])) reject('token_mismatch');
  return { id, timestamp: Number(time) || undefined, signature };
}

/** Rejects a missing signature header, and an id or time that is missing or wrong. */
function checkEnvelope(
  settings: Settings,
  id: string | undefined,
  time: string | undefined,
  signature: string,
): void {
  const { secrets, scheme, options, tolerance, now } = settings;
  const isSigned = secrets.length > 0;
  if (isSigned && !signature) reject('missing_header', scheme.signatureHeaders[0].toLowerCase());
  if (isSigned && scheme.signsEnvelope) {
    if (!id) reject('missing_header', 'webhook-id');
    if (!time) reject('missing_header', 'webhook-timestamp');
  } else if (!time && !options.allowUntimed) rejectUntimed(settings);
  if (id && !idFormat.test(id)) reject('invalid_id');
  if (!time) return;
  if (!timeFormat.test(time)) reject('malformed_header');
  const age = Math.floor(now() / 1000) - Number(time);
  if (age < -tolerance) reject('timestamp_in_future');
  // Written so that an age of NaN is rejected.
  if (!(age <= tolerance)) reject('timestamp_too_old');
}

const timeFormat = /^[1-9]\d{0,11}$/;

/** If the sender never sends a time, such a delivery is fine, so the log says what to set. */
function rejectUntimed(settings: Settings): never {
  const { scheme, secrets, options } = settings;
  const what = secrets.length > 0 ? `the scheme ${scheme.name}` : 'a token';
  const error = new WebhookVerificationError(
    'missing_header',
    `The delivery has no webhook-timestamp, and ${what} does not sign one. If this deployment never sends it, set ` +
      '`allowUntimed: true` and use a dedupe store: nothing else stops replays.',
  );
  const { logger = console } = options;
  if (isDiagnosisDue(settings))
    try {
      logger.warn(error.message);
    } catch {}
  throw error;
}

/** Logs why the signature may not match. If that fails, the delivery is still rejected. */
async function logDiagnosis(settings: Settings, delivery: CheckInput): Promise<void> {
  const { logger = console } = settings.options;
  try {
    // A separate chunk, because only development needs it.
    const { diagnose } = await import('./diagnose.ts');
    logger.warn(await diagnose(settings, delivery));
  } catch {}
}
