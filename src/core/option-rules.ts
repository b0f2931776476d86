import type { Defined } from '../errors.ts';
import { unknownOption } from '../known-options.ts';
import type { CallOptions } from '../options.ts';
import { credentialMistake } from './credential.ts';
import { isObject } from './read-response.ts';

/** A check of an option, and what the option must be, for the message. */
export interface OptionRule {
  readonly isValid: (value: unknown) => boolean;
  readonly expected: string;
  /** Says more about some wrong values: the rest of a sentence that starts with the option. */
  readonly explain?: (value: unknown) => string | undefined;
}

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

export const milliseconds: OptionRule = {
  // False for NaN.
  isValid: (value) => typeof value === 'number' && value > 0,
  expected: 'a number of milliseconds above 0, or Infinity',
};
/** For a wait that 0 disables. */
export const millisecondsOrNone: OptionRule = {
  isValid: (value) => typeof value === 'number' && value >= 0,
  expected: 'a number of milliseconds, 0 or more, or Infinity',
};
export const count: OptionRule = {
  isValid: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  expected: 'an integer of 0 or more',
};
export const positiveCount: OptionRule = {
  isValid: (value) => value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 1),
  expected: 'an integer of 1 or more, or Infinity',
};
export const idempotencyKey: OptionRule = {
  isValid: matches(/^[!-~]{1,255}$/),
  expected: '1 to 255 visible ASCII characters',
};
export const flag: OptionRule = {
  isValid: (value) => typeof value === 'boolean',
  expected: 'true or false',
};
export const callback: OptionRule = { isValid: isFunction, expected: 'a function' };
export const callbacks: OptionRule = {
  isValid: (value) => Array.isArray(value) && value.every(isFunction),
  expected: 'an array of functions',
};
export const headers: OptionRule = {
  isValid: recordOf(isHeaderName, matches(/^[\t -~\x80-\xff]*$/)),
  expected: 'a plain object of header names and single-line strings',
};
export const baseUrl: OptionRule = {
  isValid: isBaseUrl,
  expected:
    'an http or https URL such as https://api.example.com, without credentials, query or fragment',
};
export const credential: OptionRule = {
  isValid: (value) =>
    isFunction(value) || (typeof value === 'string' && credentialMistake(value) === undefined),
  expected: 'a string of visible ASCII characters, or a function that returns one',
  explain: (value) => (typeof value === 'string' ? credentialMistake(value) : undefined),
};
const abortSignal: OptionRule = {
  isValid: (value) => isFunction((value as AbortSignal | null)?.addEventListener),
  expected: 'an AbortSignal',
};

export const objectWith = (methods: readonly string[]): OptionRule => ({
  isValid: (value) =>
    methods.every((name) => isFunction((value as Record<string, unknown> | null)?.[name])),
  expected: `an object with the methods ${methods.join(', ')}`,
});
export const oneOf = (values: readonly string[]): OptionRule => ({
  isValid: (value) => values.includes(value as string),
  expected: `one of ${values.join(', ')}`,
});

const credentialHeaders = ['x-api-key', 'authorization'];

/**
 * Refuses a credential among other headers: the client sends its own, and the service rejects two.
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
  retries: 'maxRetries',
  retry: 'maxRetries',
  maxretry: 'maxRetries',
  defaultheaders: 'headers',
  fetchoptions: 'fetch',
};

/** @throws TypeError that names the option and the kind of its value, never the value itself */
export function assertOption(name: string, value: unknown, rule: OptionRule): void {
  if (rule.isValid(value)) return;
  const explanation = rule.explain?.(value);
  if (explanation) throw new TypeError(`${name} ${explanation}`);
  throw new TypeError(`${name} must be ${rule.expected}; received ${kindOf(value)}.`);
}

/**
 * A copy of the options without those that are `undefined`.
 * @throws TypeError for an unknown name and for an invalid value
 */
export function checkOptions<T extends object>(
  options: T,
  rules: Readonly<Record<keyof T, OptionRule>>,
): Defined<T> {
  assertOption('Options', options, { isValid: isObject, expected: 'an object' });
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const unknown = unknownOption(options, rules, aliases);
  if (unknown) throw new TypeError(`Unknown option ${unknown}`);
  for (const [name, value] of given) assertOption(name, value, rules[name as keyof T]);
  return Object.fromEntries(given) as Defined<T>;
}

/** The rules of the options of one call. */
export const callRules: Record<keyof CallOptions, OptionRule> = {
  signal: abortSignal,
  timeout: milliseconds,
  deadline: milliseconds,
  maxRetries: count,
  idempotencyKey,
  headers,
};

/** @throws TypeError that names the option */
export function checkCallOptions(options: CallOptions = {}): Defined<CallOptions> {
  return checkOptions(options, callRules);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
