import { didYouMean } from '../domain/options.ts';
import { hideQuotations, isSecretName } from '../domain/redact.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { helpOf, overview, packageVersion } from './help.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { createTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './values.ts';

type CommandName = keyof typeof COMMANDS;

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);
const asksForHelp = (argument: string | undefined) => argument === '--help' || argument === '-h';

export function main(): Promise<number> {
  // EPIPE means that nobody reads the output any more (`contentgen mock | head -1`), which is not a failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return run(process.argv.slice(2), createTerminal(process, process.env));
}

/**
 * Runs the command line; resolves to the exit code. 2 means that the command line is wrong, or that a port, an
 * address or a file cannot be used.
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') {
    terminal.out(packageVersion());
    return 0;
  }
  if (name === undefined || name === 'help' || asksForHelp(name)) {
    const [topic = ''] = rest;
    terminal.out(isCommand(topic) ? await commandHelp(topic) : overview(COMMANDS));
    return name === undefined ? 2 : 0;
  }
  if (!isCommand(name)) {
    const kind = name.startsWith('-') ? 'option' : 'command';
    const advice = didYouMean(name, [...Object.keys(COMMANDS), '--help', '--version']);
    terminal.err(`contentgen: Unknown ${kind} '${name}'.${advice} See contentgen --help.`);
    return 2;
  }
  if (rest.some(asksForHelp)) {
    terminal.out(await commandHelp(name));
    return 0;
  }
  return runCommand(name, rest, terminal);
}

async function commandHelp(name: CommandName): Promise<string> {
  return helpOf(name, await COMMANDS[name].load());
}

async function runCommand(
  name: CommandName,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  let shown = terminal;
  try {
    const command: Command = await COMMANDS[name].load();
    const line = parseCommandLine(argv, command, terminal.env);
    // Only `mock` prints what it is given: the key that it imports.
    if (name !== 'mock') shown = withoutGiven(terminal, line.flags);
    return await command.run(line, shown);
  } catch (error) {
    if (error instanceof UsageError) {
      const sentence = oneLine(error).replace(/[^.!?]$/, '$&.');
      shown.err(`contentgen ${name}: ${sentence} See contentgen ${name} --help.`);
      return 2;
    }
    shown.err(`contentgen ${name}: ${oneLine(error)}`);
    return 1;
  }
}

/** Prints no key, secret or token that a flag holds: a service can put it in any field of a response. */
function withoutGiven(terminal: Terminal, flags: Readonly<Record<string, unknown>>): Terminal {
  const secrets = Object.entries(flags).flatMap(([name, value]) =>
    isSecretName(name) && typeof value === 'string' ? [value] : [],
  );
  const hide = hideQuotations(secrets, '[redacted]');
  return {
    ...terminal,
    out: (line) => terminal.out(hide(line)),
    err: (line) => terminal.err(hide(line)),
  };
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  const text = cause && !message.includes(cause) ? `${message} (${cause})` : message;
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
}
