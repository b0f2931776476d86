import { isObject } from '../../domain/options.ts';
import { indexes, type Project, type TableName } from '../../domain/records.ts';
import { assertArgument } from '../arguments.ts';
import { checkInstant } from '../clock/advance-clock.ts';

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
  if (!known) return false;
  const { organizations = [], projects = [] } = state as {
    [Name in TableName]?: { readonly id: string }[];
  };
  const ids = new Set(organizations.map(({ id }) => id));
  return projects.length > 0 && projects.every((project) => isProject(project, ids));
}

/** Whether it belongs to an organization of the snapshot and has a secret, which every call reads. */
function isProject(project: object, organizations: ReadonlySet<string>): boolean {
  const { organization, secrets } = project as Partial<Project>;
  return organizations.has(organization ?? '') && Array.isArray(secrets) && secrets.length > 0;
}

function isRow(value: unknown): boolean {
  return isObject(value) && typeof value['id'] === 'string';
}
