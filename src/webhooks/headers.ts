import { misconfigured } from '../signing/errors.ts';
import { refuse } from './errors.ts';

/** Headers of a delivery, in whatever form the framework has them; names in any case. */
export type HeadersInput =
  | Pick<Headers, 'get' | 'has'>
  | Iterable<readonly [string, string | readonly string[] | undefined]>
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * The values of the `wanted` (lower case) headers, in that order; absent and empty ones are `undefined`.
 * A `Headers` object joins repeated ones with `, ` by itself; whoever reads a value must expect that.
 *
 * @throws WebhookVerificationError `duplicate_header` on a second value.
 * @throws WebhookConfigurationError when `input` is none of the accepted forms.
 */
export function readHeaders(input: HeadersInput, wanted: readonly string[]) {
  const given = (input ?? misconfigured('headers must be given')) as Headers &
    Iterable<[string, unknown]> &
    Record<string, unknown>;
  if (typeof given.get === 'function' && !(given instanceof Map))
    return wanted.map((name) => given.get(name) || undefined);
  const values: (string | undefined)[] = [];
  const keep = (name: string, value: unknown) => {
    const index = wanted.indexOf(name.toLowerCase());
    if (index < 0) return;
    for (const one of [value].flat()) {
      if (one === undefined || one === null || one === '') continue;
      if (values[index]) refuse('duplicate_header', name);
      values[index] = `${one}`;
    }
  };
  if (given[Symbol.iterator]) for (const [name, value] of given) keep(name, value);
  else for (const name of Object.keys(given)) keep(name, given[name]);
  return values;
}
