import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright';
import { keepAnswers } from './keep.ts';

/** Lets pages that run a mock themselves give its answers to the tap; call it before they load. */
export async function tapPages(context: BrowserContext): Promise<void> {
  const name = randomUUID();
  await context.exposeFunction('keepAnswer', (line: string) => keepAnswers([line], name));
  const source = readFileSync(new URL('./witness.mjs', import.meta.url), 'utf8');
  const script = source.replace('export function', 'function');
  await context.addInitScript(
    `${script}\ninstallWitness((record) => keepAnswer(JSON.stringify(record)));`,
  );
}
