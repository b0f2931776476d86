import { type Rejection, reject } from '../domain/rejection.ts';

const LIMIT_BYTES = 1024 * 1024;

const tooLarge = (): Rejection => reject('payload_too_large', 'The body is over 1 MiB.');

/** `application/json`, UTF-8 if it says so at all. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (type.trim() !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-8"?$/.test(value.trim());
  });
}

async function readCapped(body: ReadableStream<Uint8Array>): Promise<Uint8Array | Rejection> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > LIMIT_BYTES) {
      void reader.cancel().catch(() => {});
      return tooLarge();
    }
    chunks.push(value);
  }
  const [only] = chunks;
  if (chunks.length === 1 && only) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** The body's bytes, or 413, or 415. An empty body needs no type where the operation needs no body. */
export async function readBody(
  request: Request,
  required: boolean,
): Promise<Uint8Array | Rejection> {
  const { headers } = request;
  const declared = headers.get('content-length');
  if (declared !== null && Number(declared) > LIMIT_BYTES) return tooLarge();
  const contentType = headers.get('content-type');
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return reject('unsupported_media_type', 'Send the body without a content encoding.');
  }
  if (contentType !== null && !isJson(contentType)) {
    return reject('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  // A declared length is held to by whatever received the request; only an open-ended body has to be counted.
  const bytes = await (declared === null && request.body
    ? readCapped(request.body)
    : request.arrayBuffer().then((buffer) => new Uint8Array(buffer))
  ).catch(() => reject('invalid_request', 'The body broke off.'));
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.byteLength > LIMIT_BYTES) return tooLarge();
  if (contentType === null && (bytes.byteLength > 0 || required)) {
    return reject('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  return bytes;
}

/** What a body says, in a wrapping of its own: a caller's JSON may look like a refusal. */
export interface ParsedBody {
  readonly json: unknown;
}

/** The JSON that the bytes say; nothing at all is an empty object unless a type was declared. */
export function parseBody(bytes: Uint8Array, declaredType: boolean): ParsedBody | Rejection {
  if (bytes.byteLength === 0 && !declaredType) return { json: {} };
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return reject('invalid_json', 'The body is not valid JSON in UTF-8.');
  }
}
