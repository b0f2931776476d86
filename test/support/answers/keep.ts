import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keeps the records of another program, for instance of a page; those of one program under one name. */
export function keepAnswers(lines: readonly string[], name: string = randomUUID()): void {
  const folder = process.env['CONTENTGEN_ANSWERS'];
  if (!folder || lines.length === 0) return;
  appendFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
}
