import { didYouMean } from './did-you-mean.ts';
import { mustBe, type OptionRule, type OptionRules } from './rules.ts';
import { type Defined, defined, isObject } from './values.ts';

export interface MistakeWords {
  /** What people might write → the known name. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** What all the options together are called. @default 'options' */
  readonly whole?: string;
  /** What is said in front of an unknown name. @default 'unknown option' */
  readonly unknown?: string;
}

/**
 * The first mistake as a sentence: not an object, an unknown name, or an invalid value. Options that are `undefined`
 * count as absent.
 */
export function optionMistake(
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
  { aliases, whole = 'options', unknown = 'unknown option' }: MistakeWords = {},
): string | undefined {
  if (!isObject(options)) return `${whole} ${mustBe('an object', isObject)(options)}`;
  const unknownName = unknownOption(options, rules, aliases);
  if (unknownName) return `${unknown} ${unknownName}`;
  const invalid = invalidOption(options, rules);
  return invalid && `${invalid.name} ${invalid.problem}`;
}

/** The first option whose value its rule rejects. Unknown names are ignored. */
export function invalidOption(
  options: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, OptionRule>>,
): { readonly name: string; readonly problem: string } | undefined {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || !Object.hasOwn(rules, name)) continue;
    const problem = rules[name]?.(value);
    if (problem) return { name, problem };
  }
  return undefined;
}

/** @throws TypeError for an unknown name and for an invalid value */
export function checkOptions<T extends object>(
  options: T,
  rules: OptionRules<T>,
  aliases?: Readonly<Record<string, string>>,
): Defined<T> {
  const words = { aliases, whole: 'Options', unknown: 'Unknown option' };
  const mistake = optionMistake(options, rules, words);
  if (mistake) throw new TypeError(mistake);
  return defined(options);
}

/**
 * The first unknown option and what to write instead, as the rest of a sentence that starts with `unknown option`;
 * `undefined` if all are known. Without this check, a misspelled option would be ignored.
 */
function unknownOption(
  options: object,
  known: Readonly<Record<string, unknown>>,
  aliases?: Readonly<Record<string, string>>,
): string | undefined {
  const name = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (name === undefined) return undefined;
  const names = Object.keys(known);
  const advice = didYouMean(name, names, aliases);
  return `${name}.${advice} Known options: ${names.join(', ')}.`;
}
