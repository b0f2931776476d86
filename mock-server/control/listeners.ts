export interface Listeners<T> {
  /** Returns a function that removes the listener. */
  add(listener: (value: T) => void): () => void;
  notify(value: T): void;
}

/** Calls its listeners in the order they were added. An error in one goes to `onError`; the others still run. */
export function createListeners<T>(onError: (error: unknown) => void): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    notify(value) {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
