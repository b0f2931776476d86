/** Whether a value is what JSON calls an object: not an array, and not a `Map` or `Headers` either. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(Symbol.iterator in value);
}

export function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The value of a JSON text, `undefined` if it is not JSON; never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The SyntaxError quotes the text, so it is not kept as a cause.
    return undefined;
  }
}

/** What kind of value something is, for messages that must not show the value itself. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'an empty string';
  if (value instanceof Promise) return 'a promise';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export const defined = <T extends object>(from: T): Defined<T> =>
  Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as Defined<T>;

export type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };
