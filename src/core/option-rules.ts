import { type Defined, defined, unknownOption } from '../known-options.ts';
import type { CallOptions } from '../options.ts';
import { credentialMistake } from './credential.ts';
import { isObject } from './read-response.ts';

/** What is wrong with an option: the rest of a sentence that starts with its name. `undefined` for a valid value. */
export type OptionRule = (value: unknown) => string | undefined;

export const mustBe =
  (expected: string, isValid: (value: unknown) => boolean): OptionRule =>
  (value) =>
    isValid(value) ? undefined : `must be ${expected}; received ${kindOf(value)}.`;

export const matches =
  (pattern: RegExp) =>
  (value: unknown): value is string =>
    typeof value === 'string' && pattern.test(value);

/** A plain object whose names and values are valid; `undefined` values are allowed. */
export const recordOf =
  (isName: (name: string) => boolean, isValue: (value: unknown, name: string) => boolean) =>
  (record: unknown): boolean =>
    isObject(record) &&
    Object.entries(record).every(
      ([name, value]) => isName(name) && (value === undefined || isValue(value, name)),
    );

const isFunction = (value: unknown): boolean => typeof value === 'function';

export const isHeaderName = matches(/^[!#$%&'*+.^_`|~\w-]+$/);

const isBaseUrl = (value: unknown): boolean =>
  matches(/^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i)(value) && isUrl(value);

/** `URL.canParse`, which React Native and older test environments lack. */
function isUrl(value: string): boolean {
  try {
    return Boolean(new URL(value));
  } catch {
    return false;
  }
}

// Every comparison with NaN is false.
export const milliseconds = mustBe(
  'a number of milliseconds above 0, or Infinity',
  (value) => typeof value === 'number' && value > 0,
);
/** For a wait that 0 disables. */
export const millisecondsOrNone = mustBe(
  'a number of milliseconds, 0 or more, or Infinity',
  (value) => typeof value === 'number' && value >= 0,
);
const isCount = (value: unknown, least = 0) =>
  Number.isSafeInteger(value) && (value as number) >= least;
export const count = mustBe('an integer of 0 or more', (value) => isCount(value));
export const countOrInfinity = (least: number) =>
  mustBe(
    `an integer of ${least} or more, or Infinity`,
    (value) => value === Infinity || isCount(value, least),
  );
export const idempotencyKey = mustBe(
  '1 to 255 visible ASCII characters',
  matches(/^[!-~]{1,255}$/),
);
export const flag = mustBe('true or false', (value) => typeof value === 'boolean');
export const callback = mustBe('a function', isFunction);
export const callbacks = mustBe(
  'an array of functions',
  (value) => Array.isArray(value) && value.every(isFunction),
);
export const headers = mustBe(
  'a plain object of header names and single-line strings',
  recordOf(isHeaderName, matches(/^[\t -~\x80-\xff]*$/)),
);
export const baseUrl = mustBe(
  'an http or https URL without credentials, query or fragment',
  isBaseUrl,
);
const credentialSource = mustBe('a string, or a function that returns one', isFunction);
export const credential: OptionRule = (value) =>
  typeof value === 'string' ? credentialMistake(value) : credentialSource(value);
const abortSignal = mustBe('an AbortSignal', (value) =>
  isFunction((value as AbortSignal | null)?.addEventListener),
);
export const objectWith = (methods: readonly string[]) =>
  mustBe(`an object with ${methods.join('(), ')}()`, (value) =>
    methods.every((name) => isFunction((value as Record<string, unknown> | null)?.[name])),
  );

const credentialHeaders = ['x-api-key', 'authorization'];

/**
 * Rejects a credential among other headers: the client sends its own, and the service rejects two.
 * @throws TypeError that names the header, never its value
 */
export function assertNoCredential(
  headers: Readonly<Record<string, unknown>>,
  ownHeader: string,
  advice: string,
): void {
  for (const name of [...credentialHeaders, ownHeader]) {
    if (headers[name] === undefined) continue;
    throw new TypeError(`headers must not contain ${name}, which carries a credential. ${advice}`);
  }
}

/** What other clients call these options. */
const aliases = {
  key: 'apiKey',
  token: 'accessToken',
  url: 'baseUrl',
  endpoint: 'baseUrl',
  retry: 'maxRetries',
  defaultheaders: 'headers',
};

/** @throws TypeError that names the option and the kind of its value, never the value itself */
export function assertOption(name: string, value: unknown, rule: OptionRule): void {
  const problem = rule(value);
  if (problem) throw new TypeError(`${name} ${problem}`);
}

/**
 * A copy of the options without those that are `undefined`.
 * @throws TypeError for an unknown name and for an invalid value
 */
export function checkOptions<T extends object>(
  options: T,
  rules: Readonly<Record<keyof T, OptionRule>>,
): Defined<T> {
  assertOption('Options', options, mustBe('an object', isObject));
  const unknown = unknownOption(options, rules, aliases);
  if (unknown) throw new TypeError(`Unknown option ${unknown}`);
  const given = defined(options);
  for (const name of Object.keys(given) as (keyof T)[]) {
    assertOption(name as string, given[name], rules[name]);
  }
  return given;
}

/** The rules of the options that calls and waits share. */
export const limitRules = {
  signal: abortSignal,
  timeout: milliseconds,
  deadline: milliseconds,
  maxRetries: count,
  headers,
};

/** The rules of the options of one call. */
export const callRules: Record<keyof CallOptions, OptionRule> = { ...limitRules, idempotencyKey };

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (value === '') return 'an empty string';
  if (typeof value === 'object') return value ? 'an object' : 'null';
  return /number|boolean|undefined/.test(typeof value) ? `${value}` : `a ${typeof value}`;
}
