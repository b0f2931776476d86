import type { CheckInput, Verdict } from '../signing/create-scheme.ts';
import { misconfigured, WebhookError } from '../signing/errors.ts';
import { matchesAny } from '../signing/signature.ts';
import { type BodyInput, capLength, readBody, toBytes } from './body.ts';
import { reject } from './errors.ts';
import type { WebhookEvent } from './events.ts';
import { type HeadersInput, readHeaders } from './headers.ts';
import { parseEvent } from './parse-event.ts';
import { idFormat, readSettings, type Settings, type VerificationOptions } from './settings.ts';

/** A delivery to verify: a fetch `Request` whose body is unread, or its `body` and `headers`. */
export type VerifyWebhookOptions = VerificationOptions &
  (
    | { readonly request: Request; readonly body?: never; readonly headers?: never }
    | { readonly body: BodyInput; readonly headers: HeadersInput; readonly request?: never }
  );

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
    const settings = readSettings(options);
    const { request } = options;
    if (!request) return await verify(settings, options.headers, options.body);
    const body = await readBody(request, settings.maxBodyBytes);
    return await verify(settings, request.headers, body);
  } catch (error) {
    if (isWebhookError(error)) throw error;
    return misconfigured('an option or the input threw an error', 'See the cause.', error);
  }
}

function isWebhookError(error: unknown): boolean {
  try {
    return error instanceof WebhookError;
  } catch {
    // What an option throws can be a proxy that throws in turn.
    return false;
  }
}

/** Verifies a delivery with validated settings. Synchronous where the platform hashes synchronously. */
export function verify(
  settings: Settings,
  headers: HeadersInput,
  body: unknown,
): WebhookEvent | Promise<WebhookEvent> {
  const delivery = readDelivery(settings, headers, body);
  const verdict = settings.secrets.length > 0 ? settings.scheme.check(delivery) : 'valid';
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
  if (isDiagnosing(settings.options)) await logDiagnosis(settings, delivery);
  return reject(verdict);
}

/** Checks everything but the signature. */
function readDelivery(settings: Settings, headers: HeadersInput, input: unknown): CheckInput {
  const { secrets, tokens, maxBodyBytes, headerNames } = settings;
  const body = toBytes(input);
  const values = readHeaders(headers, headerNames);
  const [encoding, length, id, time, token = '', first, second] = values;
  if (encoding && !/^identity$/i.test(encoding)) reject('unsupported_encoding');
  capLength(length, maxBodyBytes);
  capLength(body.length, maxBodyBytes);
  if (first && second && first !== second) reject('duplicate_header');
  const signature = first || second || '';
  checkEnvelope(settings, id, time, signature);
  if (tokens.length > 0 && !matchesAny(tokens, [token])) reject('token_mismatch');
  return { id, timestamp: Number(time) || undefined, signature, body, secrets };
}

/** Rejects a missing signature header, and an id or time that is missing or wrong. */
function checkEnvelope(
  { secrets, scheme, options, tolerance, now }: Settings,
  id: string | undefined,
  time: string | undefined,
  signature: string,
): void {
  const isSigned = secrets.length > 0;
  if (isSigned && !signature) reject('missing_header');
  if (isSigned && scheme.signsEnvelope) {
    if (!id || !time) reject('missing_header');
  } else if (!time && !options.allowUntimed) reject('missing_header');
  if (id && !idFormat.test(id)) reject('invalid_id');
  if (!time) return;
  if (!timeFormat.test(time)) reject('malformed_header');
  const age = Math.floor(now() / 1000) - Number(time);
  if (age < -tolerance) reject('timestamp_in_future');
  // Written so that an age of NaN is rejected.
  if (!(age <= tolerance)) reject('timestamp_too_old');
}

const timeFormat = /^[1-9]\d{0,11}$/;

function isDiagnosing({ diagnose }: VerificationOptions): boolean {
  if (diagnose !== undefined) return diagnose;
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return /^(development|test)$/.test(process?.env?.['NODE_ENV'] ?? '');
}

/** Logs why the signature may not match. If that fails, the delivery is rejected all the same. */
async function logDiagnosis(settings: Settings, delivery: CheckInput): Promise<void> {
  const { logger = console } = settings.options;
  try {
    // A separate chunk, because only development needs it.
    const { diagnose } = await import('./diagnose.ts');
    logger.warn(await diagnose(settings, delivery));
  } catch {}
}
