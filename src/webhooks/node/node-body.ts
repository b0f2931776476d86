import type { IncomingMessage } from 'node:http';
import { capLength, toBytes } from '../body.ts';
import { refuse } from '../refusal.ts';

/** A request as frameworks extend it: `body` by parsers, `rawBody` by those that keep the bytes. */
export type NodeRequest = IncomingMessage & {
  readonly body?: unknown;
  readonly rawBody?: unknown;
  readonly originalUrl?: string;
};

/**
 * The bytes of a request: what a raw parser kept, else the stream, up to `maxBytes`.
 *
 * @throws WebhookVerificationError `body_already_parsed`, `body_too_large`, or `body_not_json` when the
 * connection ends first.
 */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  capLength(request.headers['content-length'], maxBytes);
  const kept = [request.rawBody, request.body].find(
    (body) => typeof body === 'string' || ArrayBuffer.isView(body),
  );
  if (kept !== undefined) {
    const bytes = toBytes(kept);
    capLength(bytes.length, maxBytes);
    return bytes;
  }
  if (request.readableDidRead || request.readableEnded) refuse('body_already_parsed');
  if (request.destroyed) refuse('body_not_json', 'the connection ended before it');
  return collect(request, maxBytes);
}

/** Leaves the stream alone when it stops early: destroying it would take the answer with it. */
async function collect(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const ending = await new Promise<'end' | 'over' | 'close'>((resolve) => {
    const keep = (chunk: Uint8Array) => {
      length += chunk.length;
      if (length > maxBytes) {
        request.off('data', keep).pause();
        resolve('over');
      } else chunks.push(chunk);
    };
    request.on('data', keep);
    request.once('end', () => resolve('end'));
    request.once('error', () => resolve('close'));
    request.once('close', () => resolve('close'));
  });
  if (ending === 'over') refuse('body_too_large');
  if (ending === 'close') refuse('body_not_json', 'the connection ended before it');
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, length);
}
