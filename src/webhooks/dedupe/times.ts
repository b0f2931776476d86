import { misconfigured } from '../../signing/errors.ts';
import type { DedupeTimes } from './dedupe.ts';

/** Times with their defaults, refused when they cannot work. */
export function readTimes({ leaseMs = 60_000, ttlMs = 864_000_000 }: DedupeTimes) {
  if (!(leaseMs >= 1000 && leaseMs < Infinity)) misconfigured('leaseMs must be 1000 or more');
  if (!(ttlMs >= leaseMs && ttlMs < Infinity)) misconfigured('ttlMs must be leaseMs or more');
  return { leaseMs, ttlMs };
}
