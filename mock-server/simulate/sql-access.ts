import type { Disk } from './disk.ts';
import type { DiskGate } from './disk-store.ts';
import type { SqlSession } from './sql-session.ts';

/** How an instance reaches the SQL database of its run. */
export interface SqlAccess {
  readonly session: SqlSession;
  readonly gate: DiskGate;
}

const accesses = new WeakMap<Disk, SqlAccess>();

export function registerSql(disk: Disk, access: SqlAccess): void {
  accesses.set(disk, access);
}

/** @throws TypeError if it is not the disk of a simulation */
export function sqlAccessOf(disk: Disk): SqlAccess {
  const access = accesses.get(disk);
  if (access) return access;
  throw new TypeError('sqlDisk expects the disk of the context that simulate passes to app.');
}
