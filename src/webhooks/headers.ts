import { refuse } from './refusal.ts';

/** Headers of a delivery, in whatever form the framework has them; names in any case. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * The values of the `wanted` (lower case) headers, in that order. Repeated ones are joined by `, `, as
 * `Headers` joins them by itself; one of ours that holds several is refused. The first two are HTTP's own.
 */
export function readHeaders(input: HeadersInput, wanted: readonly string[]) {
  const values: (string | undefined)[] = Array(wanted.length);
  const add = (name: string, value: unknown): void => {
    const index = wanted.indexOf(name.toLowerCase());
    if (index < 0 || value == null) return;
    let text = Array.isArray(value) ? value.join(', ') : `${value}`;
    if (index in values) text = `${values[index]}, ${text}`;
    // What is longer is refused for that.
    if (index > 1 && text.length < 2049 && text.includes(', '))
      refuse('duplicate_header', wanted[index]);
    values[index] = text;
  };
  if (Symbol.iterator in input)
    for (const [name, value] of input as Iterable<[string, unknown]>) add(name, value);
  else for (const name of Object.keys(input)) add(name, input[name]);
  return values;
}
