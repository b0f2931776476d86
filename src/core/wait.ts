const MAX_TIMER_MS = 2_147_483_647;

/**
 * Runs `fn` after `ms`; the returned function cancels. `Infinity` never runs. Longer waits than a platform timer takes
 * (24.8 days; more fires at once) are chained.
 */
export function after(ms: number, fn: () => void): () => void {
  if (ms === Infinity) return () => {};
  let timer: ReturnType<typeof setTimeout>;
  const arm = (left: number) => {
    const rest = left - MAX_TIMER_MS;
    timer = rest > 0 ? setTimeout(arm, MAX_TIMER_MS, rest) : setTimeout(fn, left);
  };
  arm(ms);
  return () => clearTimeout(timer);
}
