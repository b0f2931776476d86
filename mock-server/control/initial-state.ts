import type { Store, StoreSnapshot } from '../domain/ports.ts';

const ROW = 'beginning';

/** The state as first created, to which a reset returns. */
export interface Beginning {
  readonly state: StoreSnapshot;
  /** Keeps it beside the state, for a reset after a restart. */
  keep(): void;
}

/** Of a resumed store, what its first process kept; else what the store holds now. */
export function createBeginning(store: Store, resumed: boolean): Beginning {
  const counters = store.table('counters');
  const kept = resumed ? counters.get(ROW)?.text : undefined;
  const state: StoreSnapshot = kept === undefined ? store.snapshot() : JSON.parse(kept);
  // A store in memory ends with its process, and needs no copy of itself.
  const keep = () => {
    if (store.flushed) counters.put({ id: ROW, value: 0, text: JSON.stringify(state) });
  };
  if (!resumed) keep();
  return { state, keep };
}
