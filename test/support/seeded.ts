/** A linear congruential generator of numbers from 0 to 1: the same for the same seed. */
export function seeded(seed = 7): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
