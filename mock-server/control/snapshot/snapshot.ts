import { isObject } from '../../domain/options.ts';
import { indexes } from '../../domain/records.ts';
import { assertArgument } from '../arguments.ts';
import { checkInstant } from '../clock/advance-clock.ts';
import { type FaultOptions, findFaultError } from '../faults/faults.ts';

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
      ([name, rows]) => Object.hasOwn(indexes, name) && Array.isArray(rows) && rows.every(isRow),
    ) &&
    // Every call needs the project of its caller.
    Object(state['projects']).length > 0
  );
}

function isRow(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'string';
}

/** Names the row of an unknown organization or project, and the fault that could not be added. */
function checkRows(state: State): void {
  const idsOf = (table: string) => new Set(state[table]?.map(({ id }) => id));
  const owners = { organization: idsOf('organizations'), project: idsOf('projects') };
  for (const [table, rows] of Object.entries(state)) {
    for (const row of rows) {
      const mistake =
        findOwnerMistake(row, owners) ?? (table === 'faults' && findFaultMistake(row));
      assertArgument(!mistake, `Failed to restore: ${table} ${row['id']}: ${mistake}`);
    }
  }
}

function findOwnerMistake(row: Row, owners: Readonly<Record<string, ReadonlySet<unknown>>>) {
  const unknown = Object.entries(owners).find(
    ([name, ids]) => row[name] !== undefined && !ids.has(row[name]),
  );
  return unknown && `${unknown[0]} must be the id of one in the snapshot`;
}

function findFaultMistake({ id: _, matched: __, ...fault }: Row): string | undefined {
  return findFaultError(fault as unknown as FaultOptions);
}
