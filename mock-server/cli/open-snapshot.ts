import { readFileSync } from 'node:fs';
import { checkSnapshot, type Snapshot } from '../control/snapshot/snapshot.ts';
import { UsageError } from './values.ts';

/** The snapshot that `--snapshot` names. */
export interface OpenSnapshot {
  readonly file: string;
  readonly snapshot: Snapshot;
  /** False if the data file already holds records. */
  readonly used: boolean;
}

/** Reads a file that `mock.snapshot()` was saved to. */
export function readSnapshot(file: string): Snapshot {
  const text = readText(file);
  try {
    const snapshot = JSON.parse(text) as Snapshot;
    checkSnapshot(snapshot);
    return snapshot;
  } catch {
    throw new UsageError(`${file} is not a snapshot. Save one with mock.snapshot(), as JSON.`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new UsageError(`Failed to read ${file} (${code}). Pass --snapshot a readable JSON file.`);
  }
}
