import {
  parseReproduction,
  REPLAYED_FILE,
  type Reproduction,
  shellWord,
} from './reproduction-format.ts';
import { frameOf, shownPath } from './stack-frame.ts';

interface NodeFiles {
  readFileSync(path: string, encoding: 'utf8'): string;
  mkdirSync(path: string, options: { recursive: true }): void;
  writeFileSync(path: string, text: string): void;
  existsSync(path: string): boolean;
}

/**
 * The reproduction that the variable `SIMULATE_REPLAY` names.
 *
 * @throws TypeError if the file cannot be read or contains something else
 */
export function chosenReproduction(): Reproduction | undefined {
  const path = globalThis.process?.env?.[REPLAYED_FILE];
  if (path === undefined || path === '') return undefined;
  const reproduction = parseReproduction(readText(path));
  if (reproduction) return reproduction;
  throw new TypeError(`${REPLAYED_FILE}: ${path} is not a reproduction that a simulation wrote.`);
}

function readText(path: string): string {
  const files = globalThis.process?.getBuiltinModule?.('node:fs') as NodeFiles | undefined;
  try {
    return files?.readFileSync(path, 'utf8') ?? '';
  } catch {
    const hint = 'Pass the path that the simulation printed, from the folder in which it ran.';
    throw new TypeError(`${REPLAYED_FILE}: Failed to read ${path}. ${hint}`);
  }
}

/** Writes the file if the runtime can. Returns its path; undefined if it was not written. */
export function writeReproduction(
  reproduction: Reproduction,
  folder: string | false | undefined,
): string | undefined {
  const files = globalThis.process?.getBuiltinModule?.('node:fs') as NodeFiles | undefined;
  if (!files || folder === false) return undefined;
  try {
    const target =
      folder ?? (files.existsSync('node_modules') ? 'node_modules/.contentgen' : undefined);
    if (target === undefined) return undefined;
    files.mkdirSync(target, { recursive: true });
    const path = `${target}/simulation-seed-${reproduction.seed}.json`;
    files.writeFileSync(path, `${JSON.stringify(reproduction, null, 2)}\n`);
    return path;
  } catch {
    // A read-only file system must not hide what was found.
    return undefined;
  }
}

/** The file outside of this package that called `simulate`, relative to the working directory. */
export function findCaller(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  try {
    return callerOf(new Error().stack);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Finds the caller in a stack that begins in this package. */
export function callerOf(stack: string | undefined): string | undefined {
  const files = stack?.split('\n').map((line) => frameOf(line)?.file) ?? [];
  // The stack begins in this package, no matter how a bundler has renamed its files.
  const root = files.find((file) => file !== undefined)?.replace(/[^/]*$/, '');
  for (const file of files) {
    if (file === undefined || (root && file.startsWith(root))) continue;
    if (file.startsWith('node:') || file.includes('/node_modules/')) continue;
    return shownPath(file);
  }
  return undefined;
}

/** The command that runs a seed again. */
export function replayLine(seed: number, caller: string | undefined): string {
  const env = globalThis.process?.env ?? {};
  const file = caller === undefined ? '' : ` ${shellWord(caller)}`;
  const variable = `SIMULATE_SEED=${seed}`;
  const module = env['CONTENTGEN_SIMULATE_FILE'];
  if (module) return `${variable} npx contentgen simulate ${shellWord(module)}`;
  if (env['VITEST']) return `${variable} npx vitest run${file}`;
  if (env['JEST_WORKER_ID']) return `${variable} npx jest${file}`;
  return `${variable} ${programLine() ?? `node${file}`}`;
}

/** How this program was started: with its loader, such as tsx, and its arguments. */
function programLine(): string | undefined {
  const { argv = [], execArgv = [] } = (globalThis.process ?? {}) as Partial<
    Record<'argv' | 'execArgv', string[]>
  >;
  const [, main, ...args] = argv;
  if (main === undefined || main === '') return undefined;
  const words = [shownPath(main), ...args].map(shellWord);
  const isTsx = execArgv.some((argument) => /[\\/]tsx[\\/]/.test(argument));
  return [isTsx ? 'npx tsx' : ['node', ...execArgv.map(shellWord)].join(' '), ...words].join(' ');
}
