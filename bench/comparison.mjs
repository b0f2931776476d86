import { readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../docs/comparison.md', import.meta.url);

/** Writes tables into docs/comparison.md, between the markers of this name. */
export function writeTables(name, text) {
  const marked = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- /${name} -->)`);
  const before = readFileSync(page, 'utf8');
  if (!marked.test(before))
    throw new Error(`docs/comparison.md has no ${name} markers. Restore them.`);
  writeFileSync(
    page,
    before.replace(marked, (_, open, close) => `${open}\n${text}\n${close}`),
  );
}
