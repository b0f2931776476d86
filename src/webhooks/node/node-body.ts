import type { IncomingMessage } from 'node:http';
import { clearTimer, setTimer, type Timer } from '../../platform/driver.ts';
import { reject } from '../errors.ts';
import { capLength, toBytes } from '../verify.ts';

/** What frameworks add to a request: parsers set `body`, and `rawBody` if they keep the bytes. */
export interface KeptBody {
  /** The body that a parser kept. */
  readonly body?: unknown;
  /** The raw body that a platform kept. */
  readonly rawBody?: unknown;
  /** The URL before a router changed it. */
  readonly originalUrl?: string;
}

/** How long a body can take to arrive, in ms. Neither Fastify nor HTTP/2 has a limit by default. */
const READ_TIMEOUT_MS = 30_000;

/** A request as frameworks extend it. */
export type NodeRequest = IncomingMessage & KeptBody;

/**
 * The bytes of a request, up to `maxBytes`: what a raw parser kept, else the stream.
 *
 * @throws WebhookVerificationError `body_already_parsed`, `body_too_large`, or `body_not_json` when the
 * connection ends first or the body takes longer than 30 s.
 */
export async function readNodeBody(
  request: IncomingMessage,
  { rawBody, body }: KeptBody,
  maxBytes: number,
): Promise<Uint8Array> {
  capLength(request.headers['content-length'], maxBytes);
  const kept = [rawBody, body].find(
    (bytes) => typeof bytes === 'string' || ArrayBuffer.isView(bytes),
  );
  if (kept !== undefined) {
    const bytes = toBytes(kept);
    capLength(bytes.length, maxBytes);
    return bytes;
  }
  if (request.readableDidRead || request.readableEnded) reject('body_already_parsed');
  if (request.destroyed) reject('body_not_json', 'the connection was lost');
  return collect(request, maxBytes);
}

/** Reads the stream. To stop early, it only pauses it: destroying it would lose the response. */
async function collect(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let timer: Timer | undefined;
  const ending = await new Promise<'end' | 'close' | 'too_large' | 'too_slow'>((resolve) => {
    const keep = (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > maxBytes) stop('too_large');
      else chunks.push(chunk);
    };
    const stop = (why: 'too_large' | 'too_slow') => {
      request.off('data', keep).pause();
      resolve(why);
    };
    timer = setTimer(() => stop('too_slow'), READ_TIMEOUT_MS);
    if (typeof timer === 'object') timer.unref?.();
    request.on('data', keep);
    request.once('end', () => resolve('end'));
    request.once('error', () => resolve('close'));
    request.once('close', () => resolve('close'));
  });
  clearTimer(timer);
  if (ending === 'too_large') reject('body_too_large');
  if (ending === 'too_slow') reject('body_not_json', 'it did not arrive within 30 s');
  if (ending === 'close') reject('body_not_json', 'the connection was lost');
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length);
}

interface Http2Stream {
  once(event: 'finish', listener: () => void): unknown;
  close(code: number): void;
}

/**
 * Ends what must not be used again: a connection whose request was not read to its end, so that the rest is not taken
 * for the next request, or whose server has been closed meanwhile, so that the process can end. Over HTTP/1 with the
 * header that this returns; over HTTP/2 by closing the stream once the response is written (RFC 9113, section 8.1).
 */
export function endConnection(request: IncomingMessage): Record<string, string> {
  const { server } = (request.socket ?? {}) as { server?: { listening: boolean } };
  const read = request.readableEnded || request.complete;
  if (request.httpVersionMajor < 2) {
    return read && server?.listening !== false ? {} : { connection: 'close' };
  }
  const { stream } = request as { stream?: Http2Stream };
  if (!read) stream?.once('finish', () => stream.close(0));
  return {};
}
