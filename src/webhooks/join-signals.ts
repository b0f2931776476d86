/**
 * A signal that follows both until `stop` is called, because one of them can outlive many messages. Edge runtimes have
 * no `AbortSignal.any`.
 */
export function joinSignals(lease: AbortSignal, ending: AbortSignal | undefined) {
  if (!ending) return { signal: lease, stop() {} };
  const joined = new AbortController();
  const followed = [lease, ending].map((signal) => {
    const follow = () => joined.abort(signal.reason);
    if (signal.aborted) follow();
    signal.addEventListener('abort', follow);
    return () => signal.removeEventListener('abort', follow);
  });
  return {
    signal: joined.signal,
    stop: () => {
      for (const unfollow of followed) unfollow();
    },
  };
}
