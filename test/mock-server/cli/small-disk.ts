import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory that is full after a few megabytes. */
export interface SmallDisk {
  readonly path: string;
  grow(): void;
  remove(): void;
}

/** Mounts a disk that belongs to the owner of `like`. Undefined if this user must not mount. */
export function mountSmallDisk(megabytes: number, like?: string): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'contentgen-disk-'));
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
  try {
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', path);
  } catch {
    rmdirSync(path);
    return undefined;
  }
  if (like) {
    const { uid, gid } = statSync(like);
    chownSync(path, uid, gid);
  }
  const remove = () => {
    process.off('exit', remove);
    execFileSync('umount', ['--lazy', path]);
    rmdirSync(path);
  };
  process.once('exit', remove);
  return { path, grow: () => mount('-o', 'remount,size=256m', path), remove };
}

/** Whether this user can mount: root on Linux, unless a container forbids it. */
export function canMount(): boolean {
  const disk = mountSmallDisk(1);
  disk?.remove();
  if (!disk) console.warn('skipped: a full disk, because this user must not mount one');
  return disk !== undefined;
}
