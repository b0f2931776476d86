const encoder = new TextEncoder();
const sharedBytes = 64 * 1024;
// More than this is worth a buffer of its own.
const longest = 4 * 1024;
const bytesPerUnit = 3;

let shared = new Uint8Array(0);

/** UTF-8. Short texts share a buffer, as Node's own do: one each costs five times as much. */
export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  if (text.length > longest) return encoder.encode(text);
  if (shared.length < text.length * bytesPerUnit) shared = new Uint8Array(sharedBytes);
  const { written } = encoder.encodeInto(text, shared);
  const bytes = shared.subarray(0, written);
  shared = shared.subarray(written);
  return bytes;
}
