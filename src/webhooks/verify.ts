import type { CheckInput, Verdict } from '../signing/create-scheme.ts';
import { misconfigured } from '../signing/errors.ts';
import { matchesAny } from '../signing/signature.ts';
import { type BodyInput, capLength, toBytes } from './body.ts';
import { WebhookVerificationError } from './errors.ts';
import { typeOf, type WebhookEvent } from './events.ts';
import { type HeadersInput, readHeaders } from './headers.ts';
import { refuse } from './refusal.ts';
import { readSettings, type Settings, type VerificationOptions } from './settings.ts';

/** A delivery to verify: a fetch `Request` whose body is unread, or its `body` and `headers`. */
export type VerifyWebhookOptions = VerificationOptions &
  (
    | { readonly request: Request; readonly body?: never; readonly headers?: never }
    | { readonly body: BodyInput; readonly headers: HeadersInput; readonly request?: never }
  );

let loading: Promise<typeof import('./late.ts')> | undefined;

/** @internal What only some deliveries need. */
export function late() {
  loading ??= import('./late.ts');
  return loading;
}

/**
 * Verifies a delivery and returns its event. The body must be as received: bytes, or text encoded once.
 *
 * @throws WebhookVerificationError with a `code` when the delivery is refused.
 * @throws WebhookConfigurationError when the options are wrong. Nothing else is ever thrown.
 * @example
 * const event = await verifyWebhook({ request, secret: process.env.CONTENTGEN_WEBHOOK_SECRET! });
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<WebhookEvent> {
  let settings: Settings | undefined;
  try {
    settings = readSettings(options);
    const { request } = options;
    const body = request
      ? await (await late()).readBody(request, settings.maxBodyBytes, refuse)
      : options.body;
    const event = verify(settings, (request ?? options).headers, body);
    return 'then' in event ? await event : event;
  } catch (thrown) {
    // Waited for even when it is there: a promise that is rejected before its caller listens costs more.
    const { toError } = await late();
    throw toError(thrown, settings, WebhookVerificationError, misconfigured);
  }
}

/** Verifies with settings, at once where the platform hashes at once. It throws a `Refusal`, or what an option threw. */
export function verify(
  settings: Settings,
  headers: HeadersInput,
  input: unknown,
): WebhookEvent | Promise<WebhookEvent> {
  const { scheme, secrets, tokens, maxBodyBytes } = settings;
  const body = toBytes(input);
  const values = readHeaders(headers, settings.wanted);
  const [encoding, length, id, time, token = ''] = values;
  if (encoding && !/^identity$/i.test(encoding)) refuse('unsupported_encoding');
  capLength(length, maxBodyBytes);
  capLength(body.length, maxBodyBytes);
  const timestamp = checkEnvelope(settings, id, time);
  if (tokens.length && !matchesAny(tokens, [token])) refuse('token_mismatch');
  const [signature = '', ...others] = values.slice(5).filter(Boolean) as string[];
  if (others.some((other) => other !== signature)) refuse('duplicate_header');
  const delivery = { id, timestamp, signature, body, secrets };
  if (!secrets.length) return openEvent(settings, delivery);
  if (!signature) refuse('missing_header');
  const verdict = scheme.check(delivery);
  return verdict === 'valid'
    ? openEvent(settings, delivery)
    : conclude(settings, delivery, verdict);
}

async function conclude(
  settings: Settings,
  delivery: CheckInput,
  pending: Verdict | Promise<Verdict>,
): Promise<WebhookEvent> {
  const verdict = await pending;
  if (verdict === 'valid') return openEvent(settings, delivery);
  await (await late()).explain(settings, delivery);
  return refuse(verdict);
}

/** The time in Unix seconds; id and time must be there where they are signed, and right where they are. */
function checkEnvelope(
  { secrets, scheme, options, tolerance, now }: Settings,
  id: string | undefined,
  time: string | undefined,
): number | undefined {
  if (secrets.length && scheme.signsEnvelope ? !id || !time : !time && !options.allowUntimed)
    refuse('missing_header');
  if (id && !/^[\w-]{1,255}$/.test(id)) refuse('invalid_id');
  if (!time) return undefined;
  if (!/^[1-9]\d{0,11}$/.test(time)) refuse('malformed_header');
  const age = Math.floor(now() / 1000) - Number(time);
  if (age < -tolerance) refuse('timestamp_in_future');
  // An age that is no number fails here, never passes.
  if (!(age <= tolerance)) refuse('timestamp_too_old');
  return Number(time);
}

const decoder = /*@__PURE__*/ new TextDecoder('utf-8', { fatal: true });

/** The event of an authentic body: decoding comes after the signature. */
function openEvent(
  { options }: Settings,
  { id, timestamp, body }: CheckInput,
): WebhookEvent | Promise<WebhookEvent> {
  let payload: unknown;
  try {
    payload = JSON.parse(decoder.decode(body));
  } catch {}
  if (!(payload instanceof Object) || Array.isArray(payload)) refuse('body_not_json');
  const type = typeOf(payload as Record<string, unknown>);
  const event = { id, type, payload } as WebhookEvent;
  if (timestamp) (event as { timestamp: number }).timestamp = timestamp;
  return id && !(options.validate || options.eventNames)
    ? event
    : late().then(({ complete }) => complete(options, event, body, refuse));
}
