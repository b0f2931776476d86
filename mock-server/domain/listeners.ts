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
