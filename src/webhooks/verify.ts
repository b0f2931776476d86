import { misconfigured, WebhookError } from '../signing/errors.ts';
import { matchesAny } from '../signing/signature.ts';
import { type BodyInput, capLength, toBytes } from './body.ts';
import { refuse } from './errors.ts';
import { typeOf, type WebhookEvent } from './events.ts';
import { type HeadersInput, readHeaders } from './headers.ts';
import { readSettings, type Settings, type VerificationOptions } from './settings.ts';

/** A delivery to verify: a fetch `Request` whose body is unread, or its `body` and `headers`. */
export type VerifyWebhookOptions = VerificationOptions &
  (
    | { readonly request: Request; readonly body?: never; readonly headers?: never }
    | { readonly body: BodyInput; readonly headers: HeadersInput; readonly request?: never }
  );

/**
 * Verifies a delivery and returns its event. The body must be as received: bytes, or text encoded once.
 *
 * @throws WebhookVerificationError with a `code` when the delivery is refused.
 * @throws WebhookConfigurationError when the options are wrong. Nothing else is ever thrown.
 * @example
 * const event = await verifyWebhook({ request, secret: process.env.CONTENTGEN_WEBHOOK_SECRET! });
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  try {
    const settings = readSettings(options);
    const { request } = options;
    if (!request) return await verify(settings, options.headers, options.body);
    const { readBody } = await import('./read-body.ts');
    const body = await readBody(request, settings.maxBodyBytes);
    return await verify(settings, request.headers, body);
  } catch (error) {
    throw error instanceof WebhookError ? error : misconfigured('an option or input threw', error);
  }
}

/** Verifies with settings. Nothing waits, and no promise is made, but where the platform hashes with one. */
export function verify(
  settings: Settings,
  headers: HeadersInput,
  body: unknown,
): WebhookEvent | Promise<WebhookEvent> {
  const { scheme, secrets, tokens, maxBodyBytes } = settings;
  const bytes = toBytes(body);
  const [encoding = 'identity', length, ...ours] = readHeaders(headers, settings.wanted);
  if (encoding.trim().toLowerCase() !== 'identity') refuse('unsupported_encoding');
  capLength(length, maxBodyBytes);
  capLength(bytes.length, maxBodyBytes);
  if (ours.some((value) => value?.includes(', '))) refuse('duplicate_header');
  const [id, time, token = '', ...signatures] = ours;
  const timestamp = checkEnvelope(settings, id, time);
  const accept = () => {
    if (tokens.length && !matchesAny(tokens, [token])) refuse('token_mismatch');
    return openEvent(settings, id, timestamp, bytes);
  };
  if (!secrets.length) return accept();
  const [signature = missing(scheme.signatureHeaders[0]), other = signature] =
    signatures.filter(Boolean);
  if (signature !== other) refuse('duplicate_header', 'the signatures differ');
  const delivery = { id, timestamp, signature, body: bytes, secrets };
  const verdict = scheme.check(delivery);
  if (verdict === 'valid') return accept();
  return (async () => {
    const known = await verdict;
    if (known === 'valid') return accept();
    if (settings.diagnose ?? isDevelopment())
      await (await import('./diagnose.ts')).explain(settings, delivery);
    return refuse(known, scheme.signatureHeaders[0]);
  })();
}

function missing(header: string | undefined): never {
  return refuse('missing_header', header);
}

function isDevelopment(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return /^(development|test)$/.test(process?.env?.['NODE_ENV'] ?? '');
}

/** The time in Unix seconds; id and time must be there where they are signed, and right where they are. */
function checkEnvelope(
  { secrets, scheme, allowUntimed, tolerance, now }: Settings,
  id: string | undefined,
  time: string | undefined,
): number | undefined {
  const signed = secrets.length && scheme.signsEnvelope;
  if (!id && signed) missing('webhook-id');
  if (id && !/^[\w-]{1,255}$/.test(id)) refuse('invalid_id');
  if (!time) return signed || !allowUntimed ? missing('webhook-timestamp') : undefined;
  if (!/^[1-9]\d{0,11}$/.test(time)) refuse('malformed_header', 'webhook-timestamp');
  const age = Math.floor(now() / 1000) - Number(time);
  if (age < -tolerance) refuse('timestamp_in_future');
  // An age that is no number fails here, never passes.
  if (!(age <= tolerance)) refuse('timestamp_too_old');
  return Number(time);
}

let decoder: TextDecoder | undefined;

/** The event of an authentic body: decoding comes after the signature. */
function openEvent(
  settings: Settings,
  id: string | undefined,
  timestamp: number | undefined,
  bytes: Uint8Array,
): WebhookEvent | Promise<WebhookEvent> {
  let payload: unknown;
  try {
    decoder ??= new TextDecoder('utf-8', { fatal: true });
    payload = JSON.parse(decoder.decode(bytes));
  } catch {}
  if (typeof payload !== 'object' || !payload || Array.isArray(payload)) refuse('body_not_json');
  const type = typeOf(payload as Record<string, unknown>, settings.eventNames);
  const event = {
    id,
    type,
    ...(timestamp && { timestamp }),
    payload,
  } as WebhookEvent;
  return id && !settings.validate
    ? event
    : import('./complete.ts').then(({ complete }) => complete(settings, event, bytes));
}
