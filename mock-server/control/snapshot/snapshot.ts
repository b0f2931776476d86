import { isObject } from '../../domain/options.ts';
import { assertArgument } from '../arguments.ts';
import { checkInstant } from '../clock/advance-clock.ts';
import { findRowMistake, isState } from './check-rows.ts';

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
  const mistake = findRowMistake(state);
  assertArgument(!mistake, `Failed to restore: ${mistake}`);
  return checkInstant(at);
}
