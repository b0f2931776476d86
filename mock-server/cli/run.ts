import { COMMANDS, type CommandName, HELP, OVERVIEW } from './help.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage.ts';

/** Answers the exit code: 0, or 1 for what was found wrong. */
export type Command = (argv: readonly string[], terminal: Terminal) => Promise<number>;

const LOADERS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  mock: async () => (await import('./commands/mock.ts')).mock,
  trigger: async () => (await import('./commands/trigger.ts')).trigger,
  listen: async () => (await import('./commands/listen.ts')).listen,
  keys: async () => (await import('./commands/keys.ts')).keys,
  audit: async () => (await import('./commands/audit.ts')).audit,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
};

const isCommand = (name: string): name is CommandName => COMMANDS.includes(name as CommandName);

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  const text = cause && !message.includes(cause) ? `${message} (${cause})` : message;
  return text.replace(/\s*\n\s*/g, ' ');
}

/** Runs the command line; answers the exit code. 2 is a wrong command line or a place that cannot be used. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--version' || name === '-v') {
    const { packageVersion } = await import('./version.ts');
    terminal.out(packageVersion());
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const topic = rest[0];
    terminal.out(topic !== undefined && isCommand(topic) ? HELP[topic] : OVERVIEW);
    return name === undefined ? 2 : 0;
  }
  if (!isCommand(name)) {
    const what = name.startsWith('-') ? 'option' : 'command';
    terminal.err(`contentgen: Unknown ${what} '${name}'. See contentgen --help.`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.out(HELP[name]);
    return 0;
  }
  try {
    const command = await LOADERS[name]();
    return await command(rest, terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      const what = oneLine(error).replace(/[^.!?]$/, '$&.');
      terminal.err(`contentgen ${name}: ${what} See contentgen ${name} --help.`);
      return 2;
    }
    terminal.err(`contentgen ${name}: ${oneLine(error)}`);
    return 1;
  }
}
