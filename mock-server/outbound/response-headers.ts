/**
 * Headers that concern only one connection, cookies, and headers that differ in every response without meaning
 * anything.
 */
const DROPPED: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'set-cookie',
  'set-cookie2',
  'transfer-encoding',
]);
const MAX_CHARS = 2048;

/** The headers to keep of a response, by lower-case name, up to 2 KiB; undefined if there are none. */
export function keptHeaders(
  headers: Iterable<readonly [string, string]>,
): Readonly<Record<string, string>> | undefined {
  const kept: Record<string, string> = {};
  let length = 0;
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (DROPPED.has(key) || key === '__proto__') continue;
    const added = key.length + value.length;
    if (length + added > MAX_CHARS) continue;
    length += added;
    kept[key] = Object.hasOwn(kept, key) ? `${kept[key]}, ${value}` : value;
  }
  return length > 0 ? kept : undefined;
}

/** The fields of undici's raw header block, in which names and values alternate. */
export function rawFields(block: readonly Buffer[]): readonly (readonly [string, string])[] {
  const fields: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < block.length; at += 2) {
    fields.push([block[at]?.toString('latin1') ?? '', block[at + 1]?.toString('latin1') ?? '']);
  }
  return fields;
}
