/**
 * Calls `listener` once when a signal aborts, or right away if one already has. Returns a function that stops listening;
 * no listener stays behind on the other signals after the call.
 */
export function onAbort(
  signals: AbortSignal | readonly AbortSignal[],
  listener: () => void,
): () => void {
  const all = Array.isArray(signals) ? signals : [signals];
  const stopListening = () => {
    for (const signal of all) signal.removeEventListener('abort', abort);
  };
  const abort = () => {
    stopListening();
    listener();
  };
  if (all.some(({ aborted }) => aborted)) listener();
  else for (const signal of all) signal.addEventListener('abort', abort);
  return stopListening;
}

/** Calls its listeners in the order they were added. An error in one goes to `onError`; the others still run. */
export function createListeners<T>(onError: (error: unknown) => void) {
  const listeners = new Set<(value: T) => void>();
  return {
    /** Returns a function that removes the listener. */
    add(listener: (value: T) => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    notify(value: T): void {
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
