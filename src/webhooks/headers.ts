import { reject } from './errors.ts';

/** Headers of a delivery, in any form a framework has them; names in any case. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Longest signature header; longer ones are rejected when they are checked. */
const maxLength = 2048;
/** `content-encoding` and `content-length` come first in the list of names; they can be repeated. */
const repeatable = 2;

/**
 * The values of the named headers (lower case), in the order of `names`. Repeated headers are joined by `, `,
 * the way `Headers` joins them; one of ours with several values is rejected.
 */
export function readHeaders(input: HeadersInput, names: readonly string[]) {
  const values: (string | undefined)[] = Array(names.length);
  const add = (name: string, value: unknown): void => {
    const index = names.indexOf(name.toLowerCase());
    if (index < 0 || value == null) return;
    let text = Array.isArray(value) ? value.join(', ') : `${value}`;
    if (index in values) text = `${values[index]}, ${text}`;
    if (index >= repeatable && text.length <= maxLength && text.includes(', '))
      reject('duplicate_header', names[index]);
    values[index] = text;
  };
  if (Symbol.iterator in input)
    for (const [name, value] of input as Iterable<[string, unknown]>) add(name, value);
  else for (const name of Object.keys(input)) add(name, input[name]);
  return values;
}
