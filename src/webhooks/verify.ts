import type { CheckInput, Verdict } from '../signing/create-scheme.ts';
import { misconfigured } from '../signing/errors.ts';
import { matchesAny } from '../signing/signature.ts';
import { type BodyInput, toBytes } from './body.ts';
import { type WebhookErrorCode, WebhookVerificationError } from './errors.ts';
import { typeOf, type WebhookEvent } from './events.ts';
import { type HeadersInput, readHeaders } from './headers.ts';
import { type Refusal, refuse } from './refusal.ts';
import { nameForm, readSettings, type Settings, type VerificationOptions } from './settings.ts';

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
  let outcome: unknown;
  try {
    settings = readSettings(options);
    const { request } = options;
    const own = request
      ? (await late()).verifyRequest(settings, request, verify, refuse)
      : verify(settings, options.headers, options.body);
    const settled = 'then' in own ? await own : own;
    if ('type' in settled) return settled;
    outcome = settled;
  } catch (thrown) {
    outcome = thrown;
  }
  return (await late()).reject(outcome, settings, WebhookVerificationError, misconfigured);
}

/** What becomes of a delivery. A refusal that a flood could provoke is answered: throwing it costs more than a hash. */
export type Outcome = WebhookEvent | Refusal;

/** Verifies with settings, at once where the platform hashes at once. It throws a `Refusal`, or what an option threw. */
export function verify(
  settings: Settings,
  headers: HeadersInput,
  input: unknown,
): Outcome | Promise<Outcome> {
  const { secrets, maxBodyBytes } = settings;
  const body = toBytes(input);
  const [encoding, length, id, time, token = '', first, second] = readHeaders(
    headers,
    settings.wanted,
  );
  if (encoding && !/^identity$/i.test(encoding)) refuse('unsupported_encoding');
  if (Number(length) > maxBodyBytes || body.length > maxBodyBytes) refuse('body_too_large');
  if (first && second && first !== second) refuse('duplicate_header');
  const signature = first || second || '';
  const delivery = { id, timestamp: Number(time) || undefined, signature, body, secrets };
  const fault = faultOf(settings, delivery, time, token);
  const verdict = fault ?? (secrets.length ? settings.scheme.check(delivery) : 'valid');
  const conclude = (code: Verdict | WebhookErrorCode) =>
    code === 'valid'
      ? openEvent(settings, delivery)
      : ({ code, delivery: fault ? undefined : delivery, isRefusal: true } as const);
  return typeof verdict === 'string' ? conclude(verdict) : verdict.then(conclude);
}

// Written where they are used, they would be made anew for each delivery.
const timeForm = /^[1-9]\d{0,11}$/;

/** What is wrong beside the signature: id and time must be there where they are signed, and right where they are. */
function faultOf(
  { secrets, tokens, scheme, options, tolerance, now }: Settings,
  { id, timestamp, signature }: CheckInput,
  time: string | undefined,
  token: string,
): WebhookErrorCode | undefined {
  if (
    (secrets.length && !signature) ||
    (secrets.length && scheme.signsEnvelope ? !id || !time : !time && !options.allowUntimed)
  )
    return 'missing_header';
  if (id && !nameForm.test(id)) return 'invalid_id';
  if (time) {
    if (!timeForm.test(time)) return 'malformed_header';
    const age = Math.floor(now() / 1000) - (timestamp as number);
    if (age < -tolerance) return 'timestamp_in_future';
    // An age that is no number fails here, never passes.
    if (!(age <= tolerance)) return 'timestamp_too_old';
  }
  if (tokens.length && !matchesAny(tokens, [token])) return 'token_mismatch';
  return undefined;
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
