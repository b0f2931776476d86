import type { Flags } from './flags.ts';
import type { CommandLine, Operands } from './parse-command-line.ts';
import type { Terminal } from './terminal.ts';

export interface Command<F extends Flags = Flags> {
  /** What it does, in lines of at most 110 columns. */
  readonly description: string;
  /** What follows the command's name, one line per form; by default its operands and `[options]`. */
  readonly usage?: readonly string[];
  readonly operands?: Operands;
  readonly note?: string;
  readonly flags: F;
  readonly examples: readonly string[];
  /** Resolves to the exit code: 0, or 1 when a check failed. */
  run(line: CommandLine<F>, terminal: Terminal): Promise<number>;
}

/** Infers the types of the flags' values. */
export const defineCommand = <F extends Flags>(command: Command<F>): Command<F> => command;
