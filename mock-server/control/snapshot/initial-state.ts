import type { Store, StoreSnapshot } from '../../domain/ports.ts';

/** The id of the counter that holds the initial state. */
export const INITIAL_STATE = 'initial-state';

export type InitialState = ReturnType<typeof createInitialState>;

/** The state of a store without the initial state of its server. */
export function withoutInitialState({ counters = [], ...state }: StoreSnapshot): StoreSnapshot {
  return { ...state, counters: counters.filter(({ id }) => id !== INITIAL_STATE) };
}

/**
 * The state that `reset` returns to: in a resumed store, the one that its first process saved; otherwise, what the store
 * holds now.
 */
export function createInitialState(store: Store, resumed: boolean, now: number) {
  const counters = store.table('counters');
  const saved = resumed ? counters.get(INITIAL_STATE) : undefined;
  const state: StoreSnapshot =
    saved?.text === undefined ? store.snapshot() : JSON.parse(saved.text);
  const startedAt = saved?.value ?? now;

  /** Writes it to a durable store again, so that a reset after a restart finds it. */
  function save(): void {
    // A store in memory ends with its process and needs no copy.
    if (store.flushed)
      counters.put({ id: INITIAL_STATE, value: startedAt, text: JSON.stringify(state) });
  }
  if (!saved) save();
  return {
    state,
    /** The time on the clock in that state, in ms. */
    startedAt,
    save,
  };
}
