import { encoder } from '../signing/hmac.ts';
import { reject } from './errors.ts';

/** Headers of a delivery, in any form a framework has them; names in any case. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Longest signature header; longer ones are rejected when they are checked. */
const maxLength = 2048;
/** `content-encoding` and `content-length` come first in the list of names; they can be repeated. */
const repeatable = 2;

/**
 * The values of the named headers (lower case), in the order of `names`. Repeated headers are joined with `, `, the way
 * `Headers` joins them; one of ours with several values is rejected.
 */
export function readHeaders(input: HeadersInput, names: readonly string[]) {
  const values: (string | undefined)[] = Array(names.length);
  const add = (name: string, value: unknown): void => {
    const index = names.indexOf(name.toLowerCase());
    if (index < 0 || value == null) return;
    let text = Array.isArray(value) ? value.join(', ') : `${value}`;
    if (index in values) text = `${values[index]}, ${text}`;
    if (index >= repeatable && text.length <= maxLength && text.includes(', '))
      reject('duplicate_header', names[index]);
    values[index] = text;
  };
  if (Symbol.iterator in input)
    for (const [name, value] of input as Iterable<[string, unknown]>) add(name, value);
  else for (const name of Object.keys(input)) add(name, input[name]);
  return values;
}

/** A body as a framework provides it, before anything has parsed it. */
export type BodyInput = string | Uint8Array | ArrayBuffer | ArrayBufferView;

/** What the log says when something has read the body before the handler. */
export const rawBodyAdvice =
  'Failed to verify a webhook: its body was already parsed. Mount the handler before express.json() or any other ' +
  "body parser, or make the parser keep the bytes: express.json({ limit: '1mb', verify: (req, _res, buf) => " +
  '{ req.rawBody = buf; } }). Fastify: use fastifyWebhooks. NestJS: create the application with rawBody: true. ' +
  'The delivery will be retried.';

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
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await readChunk(reader);
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      reader.cancel().catch(() => {});
      reject('body_too_large');
    }
    chunks.push(value);
  }
  return chunks.length === 1
    ? (chunks[0] as Uint8Array)
    : new Uint8Array(await new Blob(chunks).arrayBuffer());
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) {
  try {
    return await reader.read();
  } catch (cause) {
    return reject('body_not_json', 'the connection was lost', { cause });
  }
}
