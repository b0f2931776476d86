import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory that is full after a few megabytes. */
export interface SmallDisk {
  readonly path: string;
  remove(): void;
}

/** Mounts a disk. Undefined if this user must not mount. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'contentgen-disk-'));
  const args = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', path];
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
  } catch {
    rmdirSync(path);
    return undefined;
  }
  const remove = () => {
    process.off('exit', remove);
    execFileSync('umount', ['--lazy', path]);
    rmdirSync(path);
  };
  process.once('exit', remove);
  return { path, remove };
}

/** Whether this user can mount: root on Linux, unless a container forbids it. */
export function canMount(): boolean {
  const disk = mountSmallDisk(1);
  disk?.remove();
  if (!disk) console.warn('skipped: a full disk, because this user must not mount one');
  return disk !== undefined;
}
