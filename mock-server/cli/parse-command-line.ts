import { parseArgs } from 'node:util';
import type { Flag, Flags, FlagValues } from './flags.ts';
import { suggestFlag } from './suggest-flag.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './values.ts';

/** The arguments of a command that are not flags. */
export interface Operands {
  /** As help and errors name them. */
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

export interface CommandLine<F extends Flags> {
  readonly flags: FlagValues<F>;
  readonly operands: readonly string[];
  /** Where each flag's value came from; no entry if it was not given. */
  readonly sources: { readonly [Name in keyof F]?: 'option' | 'environment' };
}

/** The values of each flag, in order; `undefined` stands for a flag without a value. */
type Given = Map<string, (string | undefined)[]>;

/** @throws UsageError that says what is wrong. */
export function parseCommandLine<F extends Flags>(
  argv: readonly string[],
  command: { readonly flags: F; readonly operands?: Operands },
  env: Terminal['env'],
): CommandLine<F> {
  const { given, operands } = split(argv, command.flags);
  const { name = '', least = 0, most = 0 } = command.operands ?? {};
  if (operands.length < least) throw new UsageError(`${name} is missing.`);
  if (operands.length > most) throw new UsageError(`Unexpected argument '${operands[most]}'.`);
  const values = Object.entries(command.flags).map(([flagName, flag]) => [
    flagName,
    readFlag(`--${flagName}`, flag, given.get(flagName) ?? [], env),
  ]);
  const sources = Object.entries(command.flags).flatMap(([flagName, flag]) => {
    if (given.has(flagName)) return [[flagName, 'option']];
    return flag.env !== undefined && env[flag.env] ? [[flagName, 'environment']] : [];
  });
  return {
    flags: Object.fromEntries(values) as FlagValues<F>,
    operands,
    sources: Object.fromEntries(sources) as CommandLine<F>['sources'],
  };
}

function split(argv: readonly string[], flags: Flags): { given: Given; operands: string[] } {
  const takesValue = ({ argument, optionalArgument }: Flag<unknown>) =>
    argument !== undefined && optionalArgument !== true;
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(flags).map(([name, flag]) => [
        name,
        { type: takesValue(flag) ? 'string' : 'boolean' } as const,
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given: Given = new Map();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, value, inlineValue } = token;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (!flag) {
      // Quotes what was written, because the parser reads -port as four options of one letter.
      const [written = ''] = (argv[token.index] ?? '').split('=', 1);
      const advice = suggestFlag(written, Object.keys(flags));
      throw new UsageError(`Unknown option '${written}'.${advice}`);
    }
    checkForm(`--${name}`, flag, value, inlineValue === true);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return { given, operands };
}

function checkForm(
  name: string,
  flag: Flag<unknown>,
  value: string | undefined,
  inline: boolean,
): void {
  const { argument, optionalArgument } = flag;
  if (argument === undefined) {
    if (value !== undefined) throw new UsageError(`${name} takes no value.`);
    return;
  }
  if (value === undefined && optionalArgument) return;
  if (value === undefined) throw new UsageError(`${name} needs a value: ${name} ${argument}.`);
  // Probably an unset variable in a script.
  if (value === '') throw new UsageError(`${name} is empty. Give it a value or leave it out.`);
  if (!inline && /^--?[a-z]/.test(value)) {
    throw new UsageError(
      `${name} needs a value, but '${value}' follows. Write ${name}=${value} if that is the value.`,
    );
  }
}

function readFlag(
  name: string,
  flag: Flag<unknown>,
  given: readonly (string | undefined)[],
  env: Terminal['env'],
): unknown {
  const fromEnv = flag.env === undefined ? undefined : env[flag.env];
  const texts = given.length === 0 && fromEnv ? [fromEnv] : given;
  if (flag.required && texts.length === 0) {
    const instead = flag.env === undefined ? '' : ` (or ${flag.env})`;
    throw new UsageError(`${name}${instead} is missing.`);
  }
  return flag.read(texts, name);
}
