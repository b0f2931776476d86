import { checkedLater } from '../options/rules.ts';
import { readUpTo } from '../read-up-to.ts';
import {
  assertOptions,
  misconfigured,
  WebhookConfigurationError,
  WebhookError,
} from '../signing/errors.ts';
import { encoder, matchesAny } from '../signing/hmac.ts';
import type { CheckInput, Verdict } from '../signing/scheme.ts';
import {
  idFormat,
  readSettings,
  type Settings,
  type VerificationOptions,
  verificationRules,
} from './defaults.ts';
import { diagnose } from './diagnose.ts';
import { isDiagnosisDue } from './diagnosis-due.ts';
import { reject } from './errors.ts';
import { parseEvent, type WebhookEvent } from './events.ts';

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

const rules = {
  ...verificationRules,
  request: checkedLater,
  body: checkedLater,
  headers: checkedLater,
};
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
    assertOptions(options, rules, aliases);
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
    return error instanceof WebhookError || error instanceof WebhookConfigurationError;
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
  { id, timestamp, sentTime, signature }: Envelope,
  body: Uint8Array,
): WebhookEvent | Promise<WebhookEvent> {
  const { secrets } = settings;
  capLength(body.length, settings.maxBodyBytes);
  const delivery = { id, timestamp, sentTime, signature, body, secrets };
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
export function readEnvelope(settings: Settings, input: HeadersInput): Envelope {
  const { secrets, tokens, scheme, options, tolerance, now } = settings;
  const headers = readHeaders(input, settings);
  const encoding = headers.get('content-encoding');
  if (encoding && !/^identity$/i.test(encoding)) reject('unsupported_encoding');
  capLength(headers.get('content-length'), settings.maxBodyBytes);

  const [first, second] = settings.signatureHeaders.map((name) => headers.get(name));
  if (first && second && first !== second) reject('duplicate_header');
  const signature = first || second || '';
  const idName = scheme.idHeader?.toLowerCase() ?? 'webhook-id';
  const timeName = scheme.time?.header.toLowerCase() ?? 'webhook-timestamp';
  const id = headers.get(idName);
  const sentTime = scheme.time
    ? scheme.time.read(headers.get(timeName) ?? '')
    : headers.get(timeName);
  const isSigned = secrets.length > 0;
  if (isSigned && !signature) reject('missing_header', settings.signatureHeaders[0]);
  if (isSigned && scheme.signsEnvelope && !id) reject('missing_header', idName);
  // Nothing else stops replays then, so the deployment must say so.
  const needsTime = !options.deployment || (scheme.signsTime ?? scheme.signsEnvelope);
  if (!sentTime && needsTime) reject('missing_header', timeName);

  if (id && !idFormat.test(id)) reject('invalid_id');
  const time = sentTime && (scheme.time ? scheme.time.toSeconds(sentTime) : sentTime);
  if (sentTime) {
    if (!time || !timeFormat.test(time)) reject('malformed_header');
    const age = Math.floor(now() / 1000) - Number(time);
    if (age < -tolerance) reject('timestamp_in_future');
    // Written so that an age of NaN is rejected.
    if (!(age <= tolerance)) reject('timestamp_too_old');
  }
  const token = headers.get(settings.tokenHeader) ?? '';
  if (tokens.length > 0 && !matchesAny(tokens, [token])) reject('token_mismatch');
  return { id, timestamp: Number(time) || undefined, sentTime, signature };
}

const timeFormat = /^[1-9]\d{0,11}$/;

/** Logs why the signature may not match. If that fails, the delivery is still rejected. */
async function logDiagnosis(settings: Settings, delivery: CheckInput): Promise<void> {
  const { logger = console } = settings.options;
  try {
    logger.warn(await diagnose(settings, delivery));
  } catch {}
}

/** Headers of a delivery, in any form a framework has them; names in any case. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Longest signature header; longer ones are rejected when they are checked. */
const maxLength = 2048;
const defaultTime = { header: 'webhook-timestamp' };
/** Headers of HTTP, which can be repeated. */
const httpHeaders = ['content-encoding', 'content-length'];

/**
 * The headers that are checked, by lower-case name. Repeated ones are joined with `, `, the way `Headers` joins them;
 * one of ours with several values is rejected.
 */
function readHeaders(input: HeadersInput, settings: Settings): ReadonlyMap<string, string> {
  const { tokenHeader, signatureHeaders, scheme } = settings;
  const { idHeader = 'webhook-id', time: { header: timeHeader } = defaultTime } = scheme;
  const envelope = [idHeader.toLowerCase(), timeHeader.toLowerCase()];
  const names = [...httpHeaders, ...envelope, tokenHeader, ...signatureHeaders];
  const values = new Map<string, string>();
  const add = (givenName: string, value: unknown): void => {
    const name = givenName.toLowerCase();
    if (!names.includes(name) || value == null) return;
    const before = values.get(name);
    let text = Array.isArray(value) ? value.join(', ') : `${value}`;
    if (before !== undefined) text = `${before}, ${text}`;
    if (!httpHeaders.includes(name) && text.length <= maxLength && text.includes(', '))
      reject('duplicate_header', name);
    values.set(name, text);
  };
  if (Symbol.iterator in input)
    for (const [name, value] of input as Iterable<[string, unknown]>) add(name, value);
  else for (const name of Object.keys(input)) add(name, input[name]);
  return values;
}

/** A body as a framework provides it, before anything has parsed it. */
export type BodyInput = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** The bytes of a body: a string is encoded, bytes are viewed without copying. */
export function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // An ArrayBuffer from any realm. Anything else with such a member cannot match a signature.
  if ((body as ArrayBuffer)?.byteLength >= 0) return new Uint8Array(body as ArrayBuffer);
  return reject('body_already_parsed');
}

/** Rejects a length, declared or counted, above the limit. */
export function capLength(length: string | number | null | undefined, maxBytes: number): void {
  if (Number(length) > maxBytes) reject('body_too_large');
}

/** Reads at most `maxBytes` of a `Request`; stops reading when there is more. */
export async function readBody(
  { body, bodyUsed, headers }: Request,
  maxBytes: number,
): Promise<Uint8Array> {
  if (bodyUsed || body?.locked) reject('body_already_parsed');
  capLength(headers.get('content-length'), maxBytes);
  if (!body) return new Uint8Array();
  const { bytes, isWhole } = await readUpTo(body, maxBytes).catch(rejectBroken);
  return isWhole ? bytes : reject('body_too_large');
}

function rejectBroken(cause: unknown): never {
  // SvelteKit and others cut a body at a limit of their own.
  const { status } = Object(cause) as { status?: unknown };
  if (status === 413) return reject('body_too_large', 'the framework allows less', { cause });
  return reject('body_not_json', 'the connection was lost', { cause });
}
