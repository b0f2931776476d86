import { schemas } from '../generated/names.ts';
import { isObject } from '../options/values.ts';
import type { NamesOf } from './names.ts';
import { takeAt } from './paths.ts';
import { type Direction, translate } from './translate.ts';

/**
 * Translates a sample of every schema there and back. Where the sample does not return, two names are in each other's
 * way.
 *
 * @throws TypeError that names the field
 */
export function assertTellable(namesOf: NamesOf): void {
  const value: Direction['value'] = (_, value) => value;
  const outward: Direction = { namesOf, from: 'ours', to: 'theirs', value };
  const inward: Direction = { namesOf, from: 'theirs', to: 'ours', value };
  for (const schema of Object.keys(schemas)) {
    const sample = sampleOf(namesOf, schema);
    const back = translate(inward, schema, translate(outward, schema, sample));
    const lost = differenceOf(sample, back, '');
    if (lost === undefined) continue;
    throw new TypeError(
      `The deployment is not valid: in ${schema}, ${lost} has the same name or place as another field. Give it a name of its own.`,
    );
  }
}

function sampleOf(namesOf: NamesOf, schema: string): Record<string, unknown> {
  const { fields, absent } = namesOf(schema);
  const sample = Object.fromEntries(
    [...fields].map(([name, kind]) => {
      if (Object.hasOwn(schemas, kind)) return [name, sampleOf(namesOf, kind)];
      const item = kind.startsWith('[]') ? kind.slice(2) : undefined;
      return [name, item ? [sampleOf(namesOf, item)] : `${schema}.${name}`];
    }),
  );
  for (const path of absent) takeAt(sample, path);
  return sample;
}

function differenceOf(one: unknown, other: unknown, path: string): string | undefined {
  if (Array.isArray(one) && Array.isArray(other)) return differenceOf(one[0], other[0], path);
  if (!isObject(one) || !isObject(other)) return one === other ? undefined : path;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const inner = path === '' ? name : `${path}.${name}`;
    const found = differenceOf(one[name], other[name], inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
