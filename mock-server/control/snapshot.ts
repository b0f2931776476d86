import { indexes, type TableName } from '../domain/records.ts';
import { checkInstant } from './clock.ts';
import { ControlError } from './control-error.ts';

/** Everything there is, as plain JSON: hashes of keys, never keys. */
export interface Snapshot {
  readonly version: 1;
  /** RFC 3339. */
  readonly now: string;
  /** Rows by table, for `restore` alone. */
  readonly state: Readonly<Record<string, readonly object[]>>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRow = (value: unknown): boolean => isObject(value) && typeof value['id'] === 'string';

function isState(state: unknown): boolean {
  if (!isObject(state)) return false;
  const tables = Object.entries(state);
  const known = tables.every(
    ([name, rows]) => Object.hasOwn(indexes, name) && Array.isArray(rows) && rows.every(isRow),
  );
  const { organizations = [], projects = [] } = state as { [Name in TableName]?: unknown[] };
  return known && organizations.length > 0 && projects.length > 0;
}

/** The instant of a snapshot. Throws for anything else, before anything was changed. */
export function checkSnapshot(snapshot: Snapshot): number {
  const { version, now, state } = isObject(snapshot) ? snapshot : {};
  const at = typeof now === 'string' ? Date.parse(now) : Number.NaN;
  if (version !== 1 || Number.isNaN(at) || !isState(state)) {
    throw new ControlError('validation_failed', 'Failed to restore: not a snapshot.');
  }
  return checkInstant(at);
}
