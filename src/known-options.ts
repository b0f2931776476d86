/**
 * ` Did you mean 'baseUrl'?`, or nothing if no known name is close to what was written.
 *
 * @param aliases - What some people write → the known name.
 */
export function didYouMean(
  written: string,
  known: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): string {
  const plain = written.toLowerCase();
  const alias = Object.hasOwn(aliases, plain) ? aliases[plain] : undefined;
  const distances = known.map((name) => ({ name, distance: editDistance(plain, name) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  const limit = Math.max(1, Math.floor(written.replace(/^-+/, '').length / 3));
  if (alias && known.includes(alias)) return ` Did you mean '${alias}'?`;
  if (best && best.distance <= limit) return ` Did you mean '${best.name}'?`;
  const longer = plain.length < 4 ? [] : known.filter((name) => name.startsWith(plain));
  return longer.length === 1 ? ` Did you mean '${longer[0]}'?` : '';
}

/**
 * The first option that is not known, and what to write instead: it follows `unknown option`. Undefined if there is
 * none. Without this check, a misspelled option would be ignored.
 */
export function unknownOption(
  options: object,
  known: Readonly<Record<string, unknown>>,
  aliases?: Readonly<Record<string, string>>,
): string | undefined {
  const name = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (name === undefined) return undefined;
  const names = Object.keys(known);
  const advice = didYouMean(name, names, aliases);
  return `${name}.${advice} Known options: ${names.join(', ')}.`;
}

/** How many letters must be inserted, removed, replaced or swapped with their neighbour. Case does not count. */
function editDistance(a: string, name: string): number {
  const b = name.toLowerCase();
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
