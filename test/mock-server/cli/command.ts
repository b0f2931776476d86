import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The sources, bundled once for the whole run. */
export const entry =
  process.env['CONTENTGEN_COMMAND'] ??
  fileURLToPath(new URL('../../../mock-server/cli/index.ts', import.meta.url));

const QUIET = {
  NO_COLOR: '',
  FORCE_COLOR: '',
  CONTENTGEN_ADMIN_KEY: '',
  CONTENTGEN_API_KEY: '',
  CONTENTGEN_BASE_URL: '',
  CONTENTGEN_CONTROL_TOKEN: '',
};

export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Settles with the first line of standard output that matches. */
  line(pattern?: RegExp): Promise<string>;
  /** The same for standard error. */
  errLine(pattern: RegExp): Promise<string>;
  /** Settles with the exit code or the signal's name. */
  ended: Promise<number | string>;
}

/** Starts the command; it is killed when the test ends. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Running {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...QUIET, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  onTestFinished(() => void child.kill('SIGKILL'));

  async function find(stream: Readable, text: () => string, pattern: RegExp): Promise<string> {
    for (;;) {
      const lines = text().split('\n').slice(0, -1);
      const found = lines.find((line) => pattern.test(line));
      if (found !== undefined) return found;
      const next = await Promise.race([once(stream, 'data'), ended]);
      if (!Array.isArray(next)) throw new Error(`The command ended (${next}): ${stderr}`);
    }
  }

  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    line: (pattern = /./) => find(child.stdout, () => stdout, pattern),
    errLine: (pattern) => find(child.stderr, () => stderr, pattern),
    ended,
  };
}

/** Runs the command to its end. */
export async function command(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
) {
  const running = start(args, env, cwd);
  const code = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}

export interface MockLine {
  readonly url: string;
  readonly dashboard: string;
  readonly adminKey: string | null;
  readonly memberKey: string | null;
  readonly signingSecret: string;
  readonly organization: string;
  readonly pid: number;
  readonly keys?: string;
}

/** `contentgen mock` on a free port, once it is ready. */
export async function startMock(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Running & { readonly mock: MockLine }> {
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const running = start(['mock', '--json', ...port, ...args], env);
  return { ...running, mock: JSON.parse(await running.line()) as MockLine };
}
