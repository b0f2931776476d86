import { checkNumber } from '../../signing/errors.ts';
import type { DedupeTimes } from './dedupe.ts';

/** Times with their defaults, refused when they cannot work. */
export function readTimes({ leaseMs = 60_000, ttlMs = 864_000_000 }: DedupeTimes) {
  checkNumber('leaseMs', leaseMs, 1000);
  checkNumber('ttlMs', ttlMs, leaseMs);
  return { leaseMs, ttlMs };
}
