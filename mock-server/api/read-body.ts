import { readUpTo } from '../../src/read-up-to.ts';
import { type Rejection, reject } from '../domain/rejection.ts';
import type { Admission, Call, Permit, ReadCall } from './call.ts';

const MAX_BYTES = 1024 * 1024;
const NO_BYTES = new Uint8Array();

/** Reads the body of an admitted POST or PATCH, or rejects with 413 or 415. */
export function readBody(
  { request }: Call,
  { permit }: Admission,
): ReadCall | Promise<ReadCall | Rejection> {
  const { method } = request;
  const hasBody = method === 'POST' || method === 'PATCH';
  return hasBody ? readSent(request, permit) : { permit, bytes: NO_BYTES };
}

/** Parsed JSON in a wrapper, which distinguishes any value from a rejection. */
export interface ParsedBody {
  readonly json: unknown;
  readonly text?: string;
}

let decoder: TextDecoder | undefined;

/** Parses a body. One of zero bytes is absent, whatever its content type, and counts as `{}`. */
export function parseBody(bytes: Uint8Array): ParsedBody | Rejection {
  if (bytes.byteLength === 0) return { json: {} };
  try {
    decoder ??= new TextDecoder('utf-8', { fatal: true });
    const text = decoder.decode(bytes);
    return { json: JSON.parse(text), text };
  } catch {
    return reject('invalid_json', 'The body is not valid JSON. Send one JSON object in UTF-8.');
  }
}

async function readSent(request: Request, permit: Permit): Promise<ReadCall | Rejection> {
  const { headers } = request;
  if (Number(headers.get('content-length')) > MAX_BYTES) return tooLarge();
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return reject('unsupported_media_type', 'Send the body without a Content-Encoding.');
  }
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, MAX_BYTES);
  } catch {
    return reject('invalid_request', 'The body ended early. Send the request again.');
  }
  if (bytes === undefined) return tooLarge();
  if (bytes.byteLength > 0 && !isJson(headers.get('content-type') ?? '')) return unsupportedType();
  return { permit, bytes };
}

/** The bytes of a body, or `undefined` if there are more than `limit`. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  // The HTTP server enforces a declared length; only a body of unknown length has to be counted.
  if (request.headers.get('content-length') === null && request.body) {
    const { bytes, isWhole } = await readUpTo(request.body, limit);
    return isWhole ? bytes : undefined;
  }
  // Node 20 has no `Request.bytes`.
  const bytes = await (request.bytes?.() ??
    request.arrayBuffer().then((all) => new Uint8Array(all)));
  return bytes.byteLength > limit ? undefined : bytes;
}

/** `application/json`, in UTF-8 if it names a charset. */
export function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-8"?$/.test(value.trim());
  });
}

const tooLarge = (): Rejection => reject('payload_too_large', 'The body is larger than 1 MiB.');

const unsupportedType = (): Rejection =>
  reject('unsupported_media_type', 'Send the body as Content-Type: application/json, in UTF-8.');

export { readUpTo };
