/** Each long run strikes at different moments; `CONTENTGEN_CHAOS_SEED` repeats those of an earlier run. */
export const chaosSeed = Number(
  process.env['CONTENTGEN_CHAOS_SEED'] ??
    (process.env['CHAOS_REPORT'] ? Math.floor(Math.random() * 2 ** 31) : 7),
);

/** A linear congruential generator of numbers from 0 to 1: the same for the same seed. */
export function seeded(seed: number = chaosSeed): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
