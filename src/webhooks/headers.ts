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
  const values: (string | undefined)[] = [];
  const pairs = Symbol.iterator in input;
  for (const item of (pairs ? input : Object.keys(input)) as Iterable<string & [string, unknown]>) {
    const index = wanted.indexOf((pairs ? item[0] : item).toLowerCase());
    if (index < 0) continue;
    const value = pairs ? item[1] : (input as Record<string, unknown>)[item];
    if (value == null) continue;
    let text = Array.isArray(value) ? value.join(', ') : `${value}`;
    if (values[index] !== undefined) text = `${values[index]}, ${text}`;
    // What is longer is refused for that.
    if (index > 1 && text.length < 2049 && text.includes(', '))
      refuse('duplicate_header', wanted[index]);
    values[index] = text;
  }
  return values;
}
