import { parseArgs, parseEnv } from 'node:util';
import { didYouMean } from '../domain/options.ts';
import { type Flag, type Flags, type FlagValues, option } from './flags.ts';
import type { Terminal } from './terminal.ts';
import { type Parse, readText, UsageError } from './values.ts';

/** The arguments of a command that are not flags. */
export interface Operands {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

/** Where a value can come from. The first of them that has it counts. */
export type Source = 'option' | 'environment' | 'env-file';

const readVariables: Parse<Readonly<Record<string, string | undefined>>> = (file, name) =>
  parseEnv(readText(file, `Pass ${name} a file of variables.`));

/** Every command with variables has it. No file is read unless it is named. */
export const envFileFlag = {
  'env-file': option('FILE', 'Also read variables from this file, such as .env', readVariables),
};

export interface CommandLine<F extends Flags> {
  readonly flags: FlagValues<F>;
  readonly operands: readonly string[];
  /** Where each flag's value came from; no entry if it was not given. */
  readonly sources: { readonly [Name in keyof F]?: Source };
}

/** The values of each flag, in order; `undefined` stands for a flag without a value. */
type Given = Map<string, (string | undefined)[]>;

/** @throws UsageError that says what is wrong. */
export function parseCommandLine<F extends Flags>(
  argv: readonly string[],
  command: { readonly flags: F; readonly operands?: Operands },
  env: Terminal['env'],
): CommandLine<F> {
  const flags = { ...command.flags, ...envFileFlag };
  const { given, operands } = split(argv, flags);
  const file = envFileFlag['env-file'].read(given.get('env-file') ?? [], '--env-file') ?? {};
  const { name = '', least = 0, most = 0 } = command.operands ?? {};
  if (operands.length < least) throw new UsageError(`${name} is missing.`);
  if (operands.length > most) throw new UsageError(`Unexpected argument '${operands[most]}'.`);
  const sourceOf = (flagName: string, { env: variable = '' }: Flag<unknown>) => {
    if (given.has(flagName)) return 'option';
    if (env[variable]) return 'environment';
    return file[variable] ? 'env-file' : undefined;
  };
  const rows = Object.entries(command.flags).map(([flagName, flag]) => {
    const source = sourceOf(flagName, flag);
    const variable = (source === 'environment' ? env : file)[flag.env ?? ''];
    const texts = source === 'option' || !source ? (given.get(flagName) ?? []) : [variable];
    return { flagName, source, value: readFlag(`--${flagName}`, flag, texts) };
  });
  return {
    flags: Object.fromEntries(
      rows.map(({ flagName, value }) => [flagName, value]),
    ) as FlagValues<F>,
    operands,
    sources: Object.fromEntries(
      rows.flatMap(({ flagName, source }) => (source ? [[flagName, source]] : [])),
    ) as CommandLine<F>['sources'],
  };
}

function split(argv: readonly string[], flags: Flags): { given: Given; operands: string[] } {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(flags).map(([name, flag]) => [
        name,
        { type: flag.argument === undefined ? 'boolean' : 'string' } as const,
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
      const advice = adviceFor(written, Object.keys(flags));
      throw new UsageError(`Unknown option '${written}'.${advice}`);
    }
    checkForm(`--${name}`, flag, value, inlineValue === true);
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return { given, operands };
}

/** Finds the flag for a word of it, such as `--key` for `--api-key`, for another spelling, and for a longer name. */
function adviceFor(written: string, known: readonly string[]): string {
  const plain = written.replace(/^-+(?:no-)?/i, '');
  const whole = known.filter((name) => name.split('-').includes(plain)).map((name) => `--${name}`);
  if (whole.length > 0) return ` Did you mean ${whole.map((name) => `'${name}'`).join(' or ')}?`;
  const near = didYouMean(
    `--${plain}`,
    known.map((name) => `--${name}`),
  );
  const part = known.find((name) => plain.split('-').includes(name));
  return near || (part ? ` Did you mean '--${part}'?` : '');
}

function checkForm(
  name: string,
  { argument }: Flag<unknown>,
  value: string | undefined,
  inline: boolean,
): void {
  if (argument === undefined) {
    if (value !== undefined) throw new UsageError(`${name} takes no value.`);
    return;
  }
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
  texts: readonly (string | undefined)[],
): unknown {
  if (flag.required && texts.length === 0) {
    const instead = flag.env === undefined ? '' : ` (or ${flag.env})`;
    throw new UsageError(`${name}${instead} is missing.`);
  }
  return flag.read(texts, name);
}
