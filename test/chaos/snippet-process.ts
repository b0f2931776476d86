import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { signWebhook } from 'contentgen/webhooks';
import { clientEntries, specifier } from '../../scripts/entries.ts';
import { snippetsOf } from '../e2e/readme/snippets.ts';
import { freePort } from '../support/free-port.ts';
import { root } from '../support/sources.ts';
import { completed, secret } from '../webhooks/support.ts';

const folder = fileURLToPath(new URL('../foreign/.snippets/', import.meta.url));
const script = fileURLToPath(new URL('serve-snippet.ts', import.meta.url));

/** A receiver that is a snippet of a guide, in a separate process. */
export interface SnippetProcess {
  /** Delivers a completed generation once. Resolves to the status, or to the name of the error. */
  deliver(
    id: string,
    changes?: Partial<Record<keyof typeof completed, string>>,
  ): Promise<number | string>;
  isAlive(): boolean;
  /** What it has printed. */
  output(): string;
  kill(): Promise<void>;
}

/** Runs the page's snippet that contains `mark`, as printed there but for `changes`: what is printed, what is run. */
export async function startSnippet(
  page: string,
  mark: string,
  env: Readonly<Record<string, string>>,
  changes: readonly (readonly [printed: string, run: string])[] = [],
): Promise<SnippetProcess> {
  const found = snippetsOf(page, readFileSync(join(root, page), 'utf8')).filter(
    ({ text }) => text.includes(mark) && /export const (POST|handler) =|listen\(.*3000/.test(text),
  );
  const [snippet] = found;
  if (!snippet || found.length > 1)
    throw new Error(`${page} has ${found.length} snippets with ${mark}.`);
  // A snippet that is a whole server listens itself.
  const port = /listen\(.*3000/.test(snippet.text) ? await freePort() : undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${crypto.randomUUID()}-${snippet.file}`);
  const changed = changes.reduce((code, [printed, run]) => {
    if (!code.includes(printed)) throw new Error(`${page} does not print ${printed}.`);
    return code.replace(printed, run);
  }, snippet.text);
  const text = withSources(changed).replace(/(listen\(.*)3000/, `$1${port}`);
  writeFileSync(file, port ? `${text}\nconsole.log('port ${port}');` : text);
  const args = port ? [file] : [script, pathToFileURL(file).href];
  const child = spawn(process.execPath, ['--no-warnings', ...args], {
    env: { ...process.env, ...env, CONTENTGEN_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return control(child).finally(() => rmSync(file));
}

/** Imports the package's sources in place of its built files. */
function withSources(text: string): string {
  return Object.entries(clientEntries).reduce(
    (code, [subpath, source]) =>
      code.replaceAll(
        `from '${specifier(subpath)}'`,
        `from '${pathToFileURL(join(root, source)).href}'`,
      ),
    text,
  );
}

async function control(child: ChildProcess): Promise<SnippetProcess> {
  let output = '';
  const port = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += String(chunk);
      const found = /port (\d+)/.exec(output)?.[1];
      if (found) resolve(found);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => reject(new Error(`The snippet exited with ${code}: ${output}`)));
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    isAlive,
    output: () => output,
    async deliver(id, changes) {
      const body = JSON.stringify({ ...completed, ...changes });
      // Of its own: one that is kept can be closed by the receiver just as it is used again.
      const connection = { connection: 'close' };
      const headers = { ...connection, ...(await signWebhook({ id, body, secret })) };
      const url = `http://127.0.0.1:${port}/webhooks`;
      return fetch(url, {
        method: 'POST',
        body,
        headers,
        signal: AbortSignal.timeout(10_000),
      }).then(
        ({ status }) => status,
        (error: Error) => error.name,
      );
    },
    async kill() {
      if (!isAlive()) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
