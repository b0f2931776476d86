/** ` Did you mean '--port'?`, or nothing if no known name is close to what was typed. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const plain = typed.toLowerCase();
  const distances = known.map((name) => ({ name, distance: editDistance(plain, name) }));
  const [best] = distances.sort((a, b) => a.distance - b.distance);
  const limit = Math.max(1, Math.floor(typed.replace(/^-+/, '').length / 3));
  if (best && best.distance <= limit) return ` Did you mean '${best.name}'?`;
  const longer = plain.length < 4 ? [] : known.filter((name) => name.startsWith(plain));
  return longer.length === 1 ? ` Did you mean '${longer[0]}'?` : '';
}

/** How many letters must be inserted, removed, replaced or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
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
