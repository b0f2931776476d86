import { isObject } from '../api/validate.ts';
import { indexes, type TableName } from '../domain/records.ts';
import { checkInstant } from './advance-clock.ts';
import { assertArgument } from './arguments.ts';

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

/** Returns the time of a snapshot in ms. Throws for anything else, before anything is changed. */
export function checkSnapshot(snapshot: Snapshot): number {
  const { version, now, state } = isObject(snapshot) ? snapshot : {};
  const at = typeof now === 'string' ? Date.parse(now) : Number.NaN;
  assertArgument(
    version === 1 && !Number.isNaN(at) && isState(state),
    'Failed to restore: this is not a snapshot. Pass a value that snapshot() returned.',
  );
  return checkInstant(at);
}

function isState(state: unknown): boolean {
  if (!isObject(state)) return false;
  const known = Object.entries(state).every(
    ([name, rows]) => Object.hasOwn(indexes, name) && Array.isArray(rows) && rows.every(isRow),
  );
  const { organizations = [], projects = [] } = state as { [Name in TableName]?: unknown[] };
  return known && organizations.length > 0 && projects.length > 0;
}

function isRow(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'string';
}
