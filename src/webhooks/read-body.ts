import { capLength } from './body.ts';
import { refuse } from './errors.ts';

/** Reads a body of at most `maxBytes`; what comes beyond is neither kept nor waited for. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  capLength(request.headers.get('content-length'), maxBytes);
  if (request.bodyUsed || request.body?.locked) refuse('body_already_parsed');
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader
      .read()
      .catch((cause) => refuse('body_not_json', 'the connection ended before it', cause));
    if (done) break;
    length += value.length;
    if (length > maxBytes) reader.cancel().catch(() => {});
    capLength(length, maxBytes);
    chunks.push(value);
  }
  return joinChunks(chunks, length);
}

/** One array of all chunks. */
export function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
