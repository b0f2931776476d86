import { createRandom, type Random, STREAMS } from './random.ts';

/** One choice of a run: its label with its occurrence, and the value chosen. 0 is always the harmless one. */
export interface Choice {
  readonly label: string;
  readonly value: number;
}

/**
 * Everything that a run leaves to chance, drawn in one recorded sequence. The same values in the same places give the
 * same run.
 */
export interface Choices {
  chance(label: string, probability: number): boolean;
  /** The index of one of `count` possibilities. */
  among(label: string, count: number): number;
  /** The number of the weight that came up, counted from 1, or 0 for none. */
  weighted(label: string, weights: readonly number[]): number;
  /** 1 to `max`. */
  upTo(label: string, max: number): number;
  readonly made: readonly Choice[];
}

export function seededChoices(seed: number): Choices {
  const random = createRandom(seed, STREAMS.choices);
  return recorded((_, draw) => draw(random));
}

/** The choices other than 0, by label and occurrence. */
export type Deviations = ReadonlyMap<string, number>;

/** Repeats the choices of an earlier run; a choice that `deviations` does not name is 0. */
export function scriptedChoices(deviations: Deviations): Choices {
  return recorded((key, _, limit) => Math.min(deviations.get(key) ?? 0, limit));
}

export function deviationsOf(made: readonly Choice[]): Map<string, number> {
  const deviations = new Map<string, number>();
  for (const { label, value } of made) if (value > 0) deviations.set(label, value);
  return deviations;
}

type Draw = (random: Random) => number;

function recorded(choose: (key: string, draw: Draw, limit: number) => number): Choices {
  const made: Choice[] = [];
  const occurrences = new Map<string, number>();

  function next(label: string, limit: number, draw: Draw): number {
    const occurrence = (occurrences.get(label) ?? 0) + 1;
    occurrences.set(label, occurrence);
    const key = `${label} #${occurrence}`;
    const value = choose(key, draw, limit);
    made.push({ label: key, value });
    return value;
  }

  return {
    chance: (label, probability) =>
      probability > 0 && next(label, 1, (random) => (random() < probability ? 1 : 0)) === 1,
    among: (label, count) =>
      count < 2 ? 0 : next(label, count - 1, (random) => random.integer(0, count - 1)),
    weighted(label, weights) {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      if (total === 0) return 0;
      const value = next(label, weights.length, (random) => indexOfWeight(weights, random()));
      // A script made under another `chaos` can name what this one never does.
      return weights[value - 1] === 0 ? 0 : value;
    },
    upTo: (label, max) =>
      Math.max(
        1,
        next(label, max, (random) => random.integer(1, max)),
      ),
    made,
  };
}

function indexOfWeight(weights: readonly number[], fraction: number): number {
  let left = fraction;
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index + 1;
  }
  return 0;
}
