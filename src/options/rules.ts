import { isFunction, isObject, isText, kindOf } from './values.ts';

// The one dialect in which options, arguments and fields are checked. A rule returns a problem and never throws, so
// that each part of the house can throw its own error.

/** What is wrong with a value: the rest of a sentence that starts with its name. `undefined` for a valid value. */
export type OptionRule = (value: unknown) => string | undefined;

export type OptionRules<T> = Readonly<Record<keyof T, OptionRule>>;

/** The longest delay that platform timers support (24.8 days). A longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

// The annotation lets bundlers drop the rules that an entry does not use.
/** A rule that says what was expected and what was passed. Numbers and booleans are shown, checkedLater else is not. */
/* @__NO_SIDE_EFFECTS__ */
export function mustBe(expected: string, isValid: (value: unknown) => boolean): OptionRule {
  return (value) =>
    isValid(value)
      ? undefined
      : `must be ${expected}; received ${/number|boolean/.test(typeof value) ? value : kindOf(value)}.`;
}

/** A number from `least` to `most`; `expected` names its unit. NaN is never valid. */
/* @__NO_SIDE_EFFECTS__ */
export function numberFrom(expected: string, least: number, most = Infinity): OptionRule {
  return mustBe(expected, (value) => typeof value === 'number' && value >= least && value <= most);
}

/* @__NO_SIDE_EFFECTS__ */
export function integerFrom(least: number, most = Infinity): OptionRule {
  const range = most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`;
  return mustBe(`an integer ${range}`, (value) => isInteger(value, least, most));
}

/* @__NO_SIDE_EFFECTS__ */
export function integerOrInfinity(least: number): OptionRule {
  return mustBe(
    `an integer of ${least} or more, or Infinity`,
    (value) => value === Infinity || isInteger(value, least),
  );
}

/* @__NO_SIDE_EFFECTS__ */
export function oneOf(values: readonly unknown[]): OptionRule {
  const rule = mustBe(`one of ${values.join(', ')}`, (value) => values.includes(value));
  // A word is shown: it is too short for a secret.
  return (value) =>
    rule(value)?.replace('a string.', () =>
      matches(/^[\w-]{1,12}$/)(value) ? `'${value}'.` : 'a string.',
    );
}

/* @__NO_SIDE_EFFECTS__ */
export function listOf(expected: string, isItem: (item: unknown) => boolean): OptionRule {
  return mustBe(`an array of ${expected}`, (value) => Array.isArray(value) && value.every(isItem));
}

/* @__NO_SIDE_EFFECTS__ */
export function objectWith(methods: readonly string[]): OptionRule {
  return mustBe(`an object with ${methods.join('(), ')}()`, (value) =>
    methods.every((name) => isFunction((value as Record<string, unknown> | null)?.[name])),
  );
}

export const milliseconds = mustBe(
  'a number of milliseconds above 0, or Infinity',
  (value) => typeof value === 'number' && value > 0,
);
export const checkedLater: OptionRule = () => undefined;
/** For a wait that 0 disables. */
export const millisecondsOrNone = numberFrom('a number of milliseconds, 0 or more, or Infinity', 0);
export const count = integerFrom(0);
export const flag = mustBe('true or false', (value) => typeof value === 'boolean');
export const text = mustBe('a non-empty string', isText);
export const callback = mustBe('a function', isFunction);
export const abortSignal = mustBe('an AbortSignal', (value) =>
  isFunction((value as AbortSignal | null)?.addEventListener),
);
export const httpUrl = mustBe(
  'an http or https URL without credentials, query or fragment',
  (value) => matches(/^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i)(value) && isUrl(value),
);

// Conditions to build rules from.

/* @__NO_SIDE_EFFECTS__ */
export function matches(pattern: RegExp) {
  return (value: unknown): value is string => typeof value === 'string' && pattern.test(value);
}

/** A plain object whose names and values are valid; `undefined` values are allowed. */
/* @__NO_SIDE_EFFECTS__ */
export function recordOf(
  isName: (name: string) => boolean,
  isValue: (value: unknown, name: string) => boolean,
) {
  return (record: unknown): boolean =>
    isObject(record) &&
    Object.entries(record).every(
      ([name, value]) => isName(name) && (value === undefined || isValue(value, name)),
    );
}

/** `URL.canParse`, which React Native and older test environments lack. */
function isUrl(value: string): boolean {
  try {
    return Boolean(new URL(value));
  } catch {
    return false;
  }
}

function isInteger(value: unknown, least: number, most = Infinity): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
