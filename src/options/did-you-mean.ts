/**
 * ` Did you mean 'baseUrl'?`, or nothing if no known name is close to what was written.
 *
 * @param aliases - What people might write → the known name.
 */
export function didYouMean(
  written: string,
  known: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): string {
  const plain = written.toLowerCase();
  const limit = Math.ceil(written.replace(/^-+/, '').length / 3);
  const distance = (name: string) => difference(plain, name.toLowerCase());
  const [closest = ''] = [...known].sort((a, b) => distance(a) - distance(b));
  const near = distance(closest) <= limit ? closest : undefined;
  const longer = plain.length < 4 ? [] : known.filter((name) => name.startsWith(plain));
  const only = longer.length === 1 ? longer[0] : undefined;
  const meant = known.find((name) => name === aliases[plain]) ?? near ?? only;
  return meant ? ` Did you mean '${meant}'?` : '';
}

/** How many letters differ between the start and the end that two names share. */
function difference(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return Math.max(a.length, b.length) - start - end;
}
