import type { CrashPoints } from './crash-points.ts';
import { type Disk, openStore } from './disk.ts';
import { type DiskGate, SharedStore } from './disk-store.ts';
import type { Life } from './life.ts';
import type { Simulation } from './simulation.ts';
import { registerSql, SqlSession } from './sql-session.ts';

/** One call in this many is slow, so that another handler overtakes this one between two of its calls. */
const SLOW_SHARE = 1 / 8;
const LONGEST_CALL_MS = 250;
/** Once nothing has changed for this long, no call is slow: what only polls then does the same again and again. */
const QUIET_MS = 30_000;

export function createDisks(
  simulation: Simulation,
  crashPoints: CrashPoints,
  seed: number,
): (life: Life | undefined) => Disk {
  const stores = new Map<string, SharedStore>();
  const session = new SqlSession(simulation, seed);
  const { choices } = simulation;
  function latency(): number {
    if (simulation.observing || simulation.now() - simulation.changedAt > QUIET_MS) return 0;
    return choices.chance('slow call', SLOW_SHARE) ? choices.upTo('slow for', LONGEST_CALL_MS) : 0;
  }
  return (life) => {
    const onEnd = life?.onEnd ?? new Set();
    const ownGate: DiskGate = {
      call: (what, work, detail) =>
        crashPoints.call(life, what, work, {
          detail,
          takesMs: life ? latency() : 0,
        }),
      onCrash(listener) {
        onEnd.add(listener);
        return () => void onEnd.delete(listener);
      },
    };
    const disk: Disk = {
      open(name) {
        const store = stores.get(name) ?? new SharedStore(simulation);
        stores.set(name, store);
        return openStore(name, store, ownGate);
      },
    };
    registerSql(disk, { session, gate: ownGate });
    return disk;
  };
}
