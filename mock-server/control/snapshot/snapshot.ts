import { isObject, mustBe, type OptionRule } from '../../domain/options.ts';
import type { TableName } from '../../domain/records.ts';
import { assertArgument } from '../arguments.ts';
import { checkInstant } from '../clock/advance-clock.ts';
import { type FaultOptions, findFaultError } from '../faults/faults.ts';
import { optionalFields, requiredFields } from './row-rules.ts';

/**
 * The server's whole state as plain JSON. It contains only hashes of API keys, but signing secrets and the private keys
 * that sign tokens are in plain text.
 */
export interface Snapshot {
  /** The format of the snapshot. */
  readonly version: 1;
  /** RFC 3339. */
  readonly now: string;
  /** Rows by table; only `restore` should read them. */
  readonly state: Readonly<Record<string, readonly object[]>>;
}

type Row = Readonly<Record<string, unknown>>;
type State = Readonly<Record<string, readonly Row[]>>;
type Rules = Readonly<Record<string, OptionRule>>;

/** Returns the time of a snapshot in ms. Throws for anything else, before anything is changed. */
export function checkSnapshot(snapshot: Snapshot): number {
  const { version, now, state } = isObject(snapshot) ? snapshot : {};
  const at = typeof now === 'string' ? Date.parse(now) : Number.NaN;
  assertArgument(
    version === 1 && !Number.isNaN(at) && isState(state),
    'Failed to restore: this is not a snapshot. Pass a value that snapshot() returned.',
  );
  checkRows(state);
  return checkInstant(at);
}

function isState(state: unknown): state is State {
  return (
    isObject(state) &&
    Object.entries(state).every(
      ([name, rows]) =>
        Object.hasOwn(requiredFields, name) && Array.isArray(rows) && rows.every(isRow),
    ) &&
    // Every call needs the project of its caller.
    Object(state['projects']).length > 0
  );
}

function isRow(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'string';
}

/** Names the row and the field that the server could not serve. */
function checkRows(state: State): void {
  const owners: Rules = {
    organization: mustBeIdIn(state['organizations']),
    project: mustBeIdIn(state['projects']),
  };
  for (const [table, rows] of Object.entries(state)) {
    for (const row of rows) {
      const mistake =
        findMistake(row, requiredFields[table as TableName], owners) ??
        (table === 'faults' ? findFaultMistake(row) : undefined);
      assertArgument(!mistake, `Failed to restore: ${table} ${row['id']}: ${mistake}`);
    }
  }
}

function findMistake(row: Row, required: Rules, owners: Rules): string | undefined {
  for (const [name, rule] of Object.entries({ ...optionalFields, ...required })) {
    const isRequired = Object.hasOwn(required, name);
    if (row[name] === undefined && !isRequired) continue;
    const problem = rule(row[name]) ?? (isRequired ? owners[name]?.(row[name]) : undefined);
    if (problem) return `${name} ${problem}`;
  }
  return undefined;
}

function findFaultMistake({ id: _, matched: __, ...fault }: Row): string | undefined {
  return findFaultError(fault as unknown as FaultOptions);
}

function mustBeIdIn(rows: readonly Row[] = []) {
  const ids = new Set(rows.map(({ id }) => id));
  return mustBe('the id of one in the snapshot', (id) => ids.has(id));
}
