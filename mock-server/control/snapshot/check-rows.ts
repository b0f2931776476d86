import { isObject } from '../../domain/options.ts';
import { type FaultOptions, findFaultError } from '../faults/faults.ts';
import { INITIAL_STATE } from './initial-state.ts';
import { rowShapes, type Shape } from './row-shapes.ts';

type Row = Readonly<Record<string, unknown>>;

export type State = Readonly<Record<string, readonly Row[]>>;

/** Says why the server could not serve a row; undefined for one that it can. */
export type RowCheck = (table: string, row: unknown) => string | undefined;

/** A `Map`, so that a table called `constructor` is unknown. */
const shapesOf = new Map<string, Readonly<Record<string, Shape>>>(Object.entries(rowShapes));

/** The last time that a `Date` can hold, in ms. */
const END_OF_TIME = 8.64e15;

const isList = (value: unknown) => Array.isArray(value) && value.every(isObject);

const shapeChecks: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Math.abs(value) <= END_OF_TIME,
  object: isObject,
  list: isList,
  filled: (value) => isList(value) && Object(value).length > 0,
};

export function createRowCheck(
  organizations: ReadonlySet<unknown>,
  projects: ReadonlySet<unknown>,
): RowCheck {
  return (table, row) => {
    const shapes = shapesOf.get(table);
    if (!shapes) return 'no such table exists';
    if (!isObject(row)) return 'it is not an object';
    for (const name in shapes) {
      const isValid = shapeChecks[shapes[name] as Shape](row[name]);
      if (!isValid) return `${name} is missing or of a wrong kind`;
    }
    for (const [name, ids] of [
      ['organization', organizations],
      ['project', projects],
    ] as const) {
      const isKnown = row[name] === undefined || ids.has(row[name]);
      if (!isKnown) return `${name} must be the id of one that exists`;
    }
    if (table === 'faults') return findFaultMistake(row);
    const isInitial = table === 'counters' && row['id'] === INITIAL_STATE;
    return isInitial ? findTextMistake(row['text']) : undefined;
  };
}

/** Finds the first row that the server could not serve, and says which it is and why. */
export function findRowMistake(state: State): string | undefined {
  const idsOf = (table: string) => new Set(state[table]?.map(({ id }) => id));
  const check = createRowCheck(idsOf('organizations'), idsOf('projects'));
  for (const [table, rows] of Object.entries(state)) {
    for (const row of rows) {
      const mistake = check(table, row);
      if (mistake) return `${table} ${row['id']}: ${mistake}`;
    }
  }
  return undefined;
}

/** Whether a value has the form of a state. Every call needs the project of its caller, so there is at least one. */
export function isState(state: unknown): state is State {
  return (
    isObject(state) &&
    Object.entries(state).every(
      ([name, rows]) => shapesOf.has(name) && Array.isArray(rows) && rows.every(isRow),
    ) &&
    Object(state['projects']).length > 0
  );
}

const isRow = (value: unknown): boolean => isObject(value) && typeof value['id'] === 'string';

function findFaultMistake({ id: _, matched: __, ...fault }: Row): string | undefined {
  return findFaultError(fault as unknown as FaultOptions);
}

function findTextMistake(text: unknown): string | undefined {
  try {
    const state: unknown = JSON.parse(String(text));
    return isState(state) ? findRowMistake(state) : 'text must be a state';
  } catch {
    return 'text must be JSON';
  }
}
