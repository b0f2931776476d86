import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { MockServer } from '../index.ts';
import { UsageError } from './values.ts';

/** The variables that `new ContentGen()` and receivers read; undefined where the server does not know its value. */
const variablesOf = (mock: MockServer, url: string) => ({
  CONTENTGEN_BASE_URL: url,
  CONTENTGEN_API_KEY: mock.adminKey || undefined,
  CONTENTGEN_WEBHOOK_SECRET: mock.signingSecret,
});

/**
 * Writes the variables of a running server into an env file. Other lines stay as they are; only its owner can read a
 * new file.
 *
 * @throws UsageError when the file cannot be written
 */
export function writeEnvFile(path: string, mock: MockServer, url: string): void {
  try {
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    for (const [name, value] of Object.entries(variablesOf(mock, url))) {
      if (value === undefined) continue;
      const at = lines.findIndex((line) => line.startsWith(`${name}=`));
      if (at >= 0) lines[at] = `${name}=${value}`;
      // Before the empty string after the last line break.
      else lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, `${name}=${value}`);
    }
    const text = lines.join('\n');
    writeFileSync(path, text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 });
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Failed to write ${path} (${code}). Pass --write-env a file to write.`);
  }
}
