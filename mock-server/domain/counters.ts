import type { Store } from './ports.ts';

/** Named counters that survive a restart. */
export function counters(store: Store): { next(name: string): number } {
  const table = store.table('counters');
  return {
    next(name) {
      const value = (table.get(name)?.value ?? 0) + 1;
      table.put({ id: name, value });
      return value;
    },
  };
}
