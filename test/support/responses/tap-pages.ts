import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext } from 'playwright';
import { keepResponses } from './keep-responses.ts';

/** Taps mocks that run in the pages themselves, if they are built with `tapMocks`. Call it before they load. */
export async function tapPages(context: BrowserContext): Promise<void> {
  const name = randomUUID();
  await context.exposeFunction('keepResponse', (line: string) => keepResponses([line], name));
  const source = readFileSync(new URL('./response-tap.mjs', import.meta.url), 'utf8');
  const script = source.replace('export function', 'function');
  await context.addInitScript(
    `${script}\ninstallResponseTap((record) => keepResponse(JSON.stringify(record)));`,
  );
}
