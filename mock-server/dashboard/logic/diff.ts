export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Compares two short texts line by line. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  const shared = sharedLengths(a, b);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < a.length && at(shared, i + 1, j) >= at(shared, i, j + 1)) {
      lines.push({ kind: 'removed', text: a[i] ?? '' });
      i += 1;
    } else if (j < b.length) {
      lines.push({ kind: 'added', text: b[j] ?? '' });
      j += 1;
    } else {
      lines.push({ kind: 'removed', text: a[i] ?? '' });
      i += 1;
    }
  }
  return lines;
}

const at = (table: readonly (readonly number[])[], i: number, j: number) => table[i]?.[j] ?? 0;

/** The length of the longest common subsequence of lines, from each pair of lines to the ends of both texts. */
function sharedLengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i] as number[];
      row[j] =
        a[i] === b[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}
