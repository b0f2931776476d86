import { systemEvents } from '../../domain/event-names.ts';
import type { Command } from '../command.ts';
import type { Flag } from '../flags.ts';

export interface DescribedFlag {
  /** With the dashes. */
  readonly name: string;
  readonly sentence: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** The value is a path. */
  readonly file: boolean;
}

/** What completion knows about a command. */
export interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly DescribedFlag[];
  /** What its first operand can be. */
  readonly choices: readonly string[];
}

/** The commands, loaded when they are described. */
export type Entries = Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>
>;

export function describeCommands(entries: Entries): Promise<DescribedCommand[]> {
  return Promise.all(
    Object.entries(entries).map(async ([name, { summary, load }]) => {
      const { flags, operands } = await load();
      return {
        name,
        summary,
        flags: [...Object.entries(flags).map(describeFlag), HELP],
        choices: operands?.choices ?? [],
      };
    }),
  );
}

const HELP: DescribedFlag = {
  name: '--help',
  sentence: 'Show help',
  takesValue: false,
  choices: [],
  file: false,
};

function describeFlag([name, flag]: [string, Flag<unknown>]): DescribedFlag {
  const { sentence, argument = '', optionalArgument } = flag;
  return {
    name: `--${name}`,
    sentence,
    takesValue: argument !== '' && optionalArgument !== true,
    choices: choicesOf(argument),
    file: argument.startsWith('FILE'),
  };
}

/** Help names the values as `real|manual`, and what is not a value as `FILE|URL`. */
function choicesOf(argument: string): readonly string[] {
  if (argument === 'EVENT') return systemEvents;
  return /^[a-z]+(\|[a-z]+)+$/.test(argument) ? argument.split('|') : [];
}
