import type { Parse } from './values.ts';

/** One row of a command's table of flags: parsing, validation and help all come from it. */
export interface Flag<Value> {
  readonly sentence: string;
  /** Names the value in help; a flag without one takes no value. */
  readonly argument?: string;
  readonly required?: boolean;
  readonly env?: string;
  readonly shownDefault?: string;
  /** Reads what was given, in order: nothing when the flag is absent, `undefined` for one that takes no value. */
  readonly read: (given: readonly (string | undefined)[], name: string) => Value;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

export type FlagValues<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends Flag<infer Value> ? Value : never;
};

interface Settings {
  readonly env?: string;
  readonly shownDefault?: string;
}

/** `--json` */
export function toggle(sentence: string): Flag<boolean> {
  return { sentence, read: (given) => given.length > 0 };
}

/** `--name TEXT`; the last one given counts. */
export function option<Value>(
  argument: string,
  sentence: string,
  parse: Parse<Value>,
  settings: Settings = {},
): Flag<Value | undefined> {
  return {
    ...settings,
    sentence,
    argument,
    read: (given, name) => {
      const text = given.at(-1);
      return text === undefined ? undefined : parse(text, name);
    },
  };
}

/** `--port N`, with a default. */
export function optionOr<Value>(
  fallback: string,
  argument: string,
  sentence: string,
  parse: Parse<Value>,
  settings: Pick<Settings, 'env'> = {},
): Flag<Value> {
  return {
    ...settings,
    sentence,
    argument,
    shownDefault: fallback,
    read: (given, name) => parse(given.at(-1) ?? fallback, name),
  };
}

/** `--since TIME`, without which the command cannot run. */
export function requiredOption<Value>(
  argument: string,
  sentence: string,
  parse: Parse<Value>,
  settings: Settings = {},
): Flag<Value> {
  return {
    ...settings,
    sentence,
    argument,
    required: true,
    read: (given, name) => parse(given.at(-1) ?? '', name),
  };
}
