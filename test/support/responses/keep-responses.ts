import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** Keeps the records of another program, such as a page. All records of a program need the same name. */
export function keepResponses(lines: readonly string[], name: string = randomUUID()): void {
  const folder = process.env['CONTENTGEN_RESPONSES'];
  if (!folder || lines.length === 0) return;
  appendFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
}
