import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import type { MockServer } from '../index.ts';
import { closeToOthers, OWNER_ONLY } from '../stores/close-to-others.ts';
import { UsageError } from './values.ts';

/**
 * The variables that `new ContentGen()`, receivers and commands read: undefined where the server does not know the value,
 * null where it has none.
 */
const variablesOf = ({ mock, url, controlToken }: RunningServer) => ({
  CONTENTGEN_BASE_URL: url,
  CONTENTGEN_API_KEY: mock.adminKey || undefined,
  CONTENTGEN_WEBHOOK_SECRET: mock.signingSecret,
  // That of an earlier start would close the next one.
  CONTENTGEN_CONTROL_TOKEN: controlToken ?? null,
});

interface RunningServer {
  readonly mock: MockServer;
  readonly url: string;
  readonly controlToken: string | undefined;
}

/**
 * Writes the variables of a running server into an env file that only its owner can read. Other lines stay as they are.
 *
 * @returns why others might read the file, if its mode could not be set
 * @throws UsageError when the file cannot be written
 */
export function writeEnvFile(path: string, server: RunningServer): string | undefined {
  let problem: string | undefined;
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new UsageError(`${path} is a symbolic link. Pass --write-env the file itself.`);
    }
    let lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    for (const [name, value] of Object.entries(variablesOf(server))) {
      if (value === undefined) continue;
      const isOwn = (line: string) =>
        line.replace(/^\s*(?:export\s)?\s*/, '').startsWith(`${name}=`);
      const at = lines.findIndex(isOwn);
      lines = lines.filter((line, index) => (index <= at && value !== null) || !isOwn(line));
      if (value === null) continue;
      if (at >= 0) lines[at] = `${name}=${value}`;
      // Before the empty string after the last line break.
      else lines.splice(lines.at(-1) === '' ? -1 : lines.length, 0, `${name}=${value}`);
    }
    const text = lines.join('\n');
    const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
    const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, OWNER_ONLY);
    // Before anything secret is in it.
    problem = closeToOthers(file, path);
    writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
    closeSync(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Failed to write ${path} (${code}). Pass --write-env a file to write.`);
  }
  return problem;
}
