const nothingToRemove = () => {};

/**
 * Calls `listener` once when the signal aborts, or right away if it already has. Returns a function that stops
 * listening.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return nothingToRemove;
  }
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
