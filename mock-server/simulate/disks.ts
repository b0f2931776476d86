import type { CrashPoints } from './crash-points.ts';
import { type Disk, openStore } from './disk.ts';
import { type DiskGate, SharedStore } from './disk-store.ts';
import type { Life } from './life.ts';
import type { Simulation } from './simulation.ts';
import { registerSql, SqlSession } from './sql-session.ts';

/** Returns a function that creates the disk of an instance, or that of `run`. All of these disks share their contents. */
export function createDisks(
  simulation: Simulation,
  crashPoints: CrashPoints,
  seed: number,
): (life: Life | undefined) => Disk {
  const stores = new Map<string, SharedStore>();
  const session = new SqlSession(simulation, seed);
  return (life) => {
    const owner = life ?? simulation;
    const onEnd = life?.onEnd ?? new Set();
    const ownGate: DiskGate = {
      owner,
      call: (what, work, detail) => crashPoints.call(life, what, work, detail),
      surviving: (count) => count - simulation.choices.among('lost writes', count + 1),
      onCrash(listener) {
        onEnd.add(listener);
        return () => void onEnd.delete(listener);
      },
    };
    const disk: Disk = {
      open(name, options = {}) {
        const store = stores.get(name) ?? new SharedStore(() => simulation.unpark());
        stores.set(name, store);
        return openStore(name, store, ownGate, options);
      },
    };
    registerSql(disk, { session, gate: ownGate });
    return disk;
  };
}
