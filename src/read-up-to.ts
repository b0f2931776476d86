export interface Beginning {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

/** Reads at most `limit` bytes of a body. If there are more, the body is canceled. Rejects as the body does. */
export async function readUpTo(
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Beginning> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= limit) {
    const { done, value } = await reader.read();
    if (done) return { bytes: join(chunks), isWhole: true };
    chunks.push(value.subarray(0, limit - size));
    size += value.length;
  }
  reader.cancel().catch(() => {});
  return { bytes: join(chunks), isWhole: false };
}

/** The chunks as one; a single chunk, as most bodies arrive, is not copied. */
export function join(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
