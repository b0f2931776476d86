import { checkedLater } from '../options/rules.ts';
import { readUpTo } from '../read-up-to.ts';
import {
  assertOptions,
  misconfigured,
  WebhookConfigurationError,
  WebhookError,
} from '../signing/errors.ts';
import { encoder } from '../signing/hmac.ts';
import { type CheckInput, matchesAny } from '../signing/standard-scheme.ts';
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
import { warn } from './log.ts';
import { requestMistake } from './not-a-request.ts';

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
    const mistake = requestMistake(options);
    if (mistake) misconfigured(...mistake);
    assertOptions(options, rules, aliases);
    const settings = readSettings(options);
    const { request } = options;
    if (!request) {
      if (!options.headers) misconfigured('headers is missing', 'Pass the headers of the request.');
      const body = toBytes(options.body);
      return await verifyBody(settings, readEnvelope(settings, toLookup(options.headers)), body);
    }
    const envelope = readEnvelope(settings, request.headers);
    return await verifyBody(settings, envelope, await readBody(request, settings.maxBodyBytes));
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

export async function verifyBody(
  settings: Settings,
  envelope: Envelope,
  body: Uint8Array,
): Promise<WebhookEvent> {
  const { secrets, scheme, options, maxBodyBytes } = settings;
  capLength(body.length, maxBodyBytes);
  const delivery = { ...envelope, body, secrets };
  const verdict = secrets.length > 0 ? await scheme.check(delivery) : 'valid';
  if (verdict === 'valid') return parseEvent(options, delivery);
  if (isDiagnosisDue(settings)) await logDiagnosis(settings, delivery);
  return reject(verdict);
}

/** Checks the headers, so that a delivery they rule out is rejected before its body is read. */
export function readEnvelope(settings: Settings, headers: HeaderLookup): Envelope {
  const { secrets, tokens, scheme, options, tolerance, now } = settings;
  const encoding = headers.get('content-encoding');
  if (encoding && !/^identity$/i.test(encoding)) reject('unsupported_encoding');
  capLength(headers.get('content-length'), settings.maxBodyBytes);

  const { idHeader: idName = 'webhook-id', time } = scheme;
  const timeName = time?.header ?? 'webhook-timestamp';
  const id = single(headers, idName.toLowerCase());
  const sent = single(headers, timeName.toLowerCase()) ?? '';
  const token = single(headers, settings.tokenHeader) ?? '';
  const [first, second] = settings.signatureHeaders.map((name) => single(headers, name));
  if (first && second && first !== second) reject('duplicate_header');
  const signature = first || second || '';
  const sentTime = time ? time.read(sent) : sent;
  const isSigned = secrets.length > 0;
  if (isSigned && !signature) reject('missing_header', settings.signatureHeaders[0]);
  if (isSigned && scheme.signsEnvelope && !id) reject('missing_header', idName);
  // Nothing else stops replays then, so the deployment must say so.
  const needsTime = !options.deployment || (scheme.signsTime ?? scheme.signsEnvelope);
  if (!sentTime && needsTime) reject('missing_header', timeName);

  if (id && !idFormat.test(id)) reject('invalid_id');
  const seconds = sentTime && (time ? time.toSeconds(sentTime) : sentTime);
  if (sentTime) {
    if (!seconds || !timeFormat.test(seconds)) reject('malformed_header');
    const age = Math.floor(now() / 1000) - Number(seconds);
    if (age < -tolerance) reject('timestamp_in_future');
    // Written so that an age of NaN is rejected.
    if (!(age <= tolerance)) reject('timestamp_too_old');
  }
  if (tokens.length > 0 && !matchesAny(tokens, [token])) reject('token_mismatch');
  return { id, timestamp: Number(seconds) || undefined, sentTime, signature };
}

const timeFormat = /^[1-9]\d{0,11}$/;

/** Logs why the signature may not match. If that fails, the delivery is still rejected. */
async function logDiagnosis(settings: Settings, delivery: CheckInput): Promise<void> {
  try {
    warn(settings.options, await diagnose(settings, delivery));
  } catch {}
}

/** Headers of a delivery, in any form a framework has them; names in any case. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Longest signature header; longer ones are rejected when they are checked. */
const maxLength = 2048;

/** What `Headers` and a map have: values by their names in lower case. */
export interface HeaderLookup {
  get(name: string): string | null | undefined;
}

/** The value of one of our headers. Repeated ones are joined with `, `, which no valid one contains. */
function single(headers: HeaderLookup, name: string): string | undefined {
  const text = headers.get(name) ?? undefined;
  if (text && text.length <= maxLength && text.includes(', ')) reject('duplicate_header', name);
  return text;
}

/** Headers in any form as a map: making `Headers` would cost more than the verification. */
function toLookup(input: HeadersInput): HeaderLookup {
  const values = new Map<string, string>();
  const entries = Symbol.iterator in input ? input : Object.entries(input);
  for (const [given, value] of entries as Iterable<[string, unknown]>) {
    if (value == null) continue;
    const name = given.toLowerCase();
    const before = values.get(name);
    const text = Array.isArray(value) ? value.join(', ') : `${value}`;
    values.set(name, before === undefined ? text : `${before}, ${text}`);
  }
  return values;
}

/** A body as a framework provides it, before anything has parsed it. */
export type BodyInput = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** The bytes of a body: a string is encoded, bytes are viewed without copying. */
export function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return encoder().encode(body);
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
