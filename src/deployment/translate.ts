import type { OwnNames } from '../deployment-port.ts';
import { isObject } from '../options/values.ts';
import type { NamesOf } from './names.ts';
import { putAt, takeAt, valueAt } from './paths.ts';

type Json = Record<string, unknown>;
type Renaming = OwnNames['renamings'][number];

export interface Direction {
  readonly namesOf: NamesOf;
  readonly from: 'ours' | 'theirs';
  readonly to: 'ours' | 'theirs';
  readonly value: (kind: string, value: unknown) => unknown;
}

export function translate(direction: Direction, schema: string, value: unknown): unknown {
  return isObject(value) ? translateObject(direction, schema, copyOf(value)) : value;
}

/** A copy as JSON; bodies that were parsed from JSON come out equal. */
const copyOf = (value: Json): Json => JSON.parse(JSON.stringify(value));

/** Translates a copy, which is taken apart. */
function translateObject(direction: Direction, schema: string, body: Json): Json {
  const { namesOf, from, to } = direction;
  const { fields, renamings, absent } = namesOf(schema);
  if (to === 'theirs') for (const path of absent) takeAt(body, path);
  const inner = (kind: string, value: unknown) => translateValue(direction, kind, value);
  const moved = byLength(renamings, from)
    .reverse()
    .map((renaming) => {
      const value = takeAt(body, renaming[from]);
      return { renaming, value: inner(kindAt(namesOf, schema, renaming.ours), value) };
    });
  const result: Json = {};
  for (const [name, value] of Object.entries(body)) {
    if (name !== '__proto__') putAt(result, [name], inner(fields.get(name) ?? '', value));
  }
  const values = new Map(moved.map(({ renaming, value }) => [renaming, value]));
  for (const renaming of byLength(renamings, to)) {
    const value = values.get(renaming);
    if (value !== undefined) putAt(result, renaming[to], value);
  }
  return result;
}

/** The shortest paths first, so that what belongs into an object comes after it. */
const byLength = (renamings: readonly Renaming[], side: 'ours' | 'theirs'): Renaming[] =>
  [...renamings].sort((a, b) => a[side].length - b[side].length);

function kindAt(namesOf: NamesOf, schema: string, [name = '', ...rest]: readonly string[]): string {
  const kind = namesOf(schema).fields.get(name) ?? '';
  return rest.length === 0 ? kind : kindAt(namesOf, kind, rest);
}

function translateValue(direction: Direction, kind: string, value: unknown): unknown {
  if (kind === '' || value === null || value === undefined) return value;
  if (kind.startsWith('=')) return direction.value(kind, value);
  if (!kind.startsWith('[]')) {
    return isObject(value) ? translateObject(direction, kind, value) : value;
  }
  const item = kind.slice(2);
  return Array.isArray(value)
    ? value.map((one) => (isObject(one) ? translateObject(direction, item, one) : one))
    : value;
}

/** Of several schemas the one that a body has the most fields of; of two alike, the one with fewer fields. */
export function bestSchema(
  { namesOf, from }: Direction,
  candidates: readonly string[],
  body: unknown,
): string | undefined {
  const scored = candidates.map((schema) => {
    const { fields, renamings } = namesOf(schema);
    const moved = new Map(renamings.map((one) => [one.ours.join('.'), one[from]]));
    const names = [...fields.keys(), ...moved.keys()];
    const found = new Set(names).size;
    const present = [...new Set(names)].filter(
      (name) => valueAt(body, moved.get(name) ?? name.split('.')) !== undefined,
    ).length;
    return { schema, score: present * 1000 - found };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.schema;
}
