import { randomWords } from '../domain/ids.ts';

/** Reproducible randomness for an application: only the seed decides it, not the faults. */
export interface Random {
  /** In [0, 1), like `Math.random`. */
  (): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the values. */
  pick<T>(values: readonly T[]): T;
  /** A UUID of version 4. */
  uuid(): string;
}

/** Independent streams of one seed: drawing from one does not affect another. */
export const STREAMS = { choices: 1, application: 2, library: 3, globals: 4 } as const;

export function createRandom(seed: number, stream: number): Random {
  const next = randomWords(seed | 0, Math.floor(seed / 0x1_0000_0000) | 0, stream, 0x5eed);
  const fraction = () => next() / 0x1_0000_0000;
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  const hex = () => next().toString(16).padStart(8, '0');
  return Object.assign(fraction, {
    integer,
    pick: <T>(values: readonly T[]) => values[integer(0, values.length - 1)] as T,
    uuid() {
      const [a, b, c, d] = [hex(), hex(), hex(), hex()];
      const variant = '89ab'[integer(0, 3)];
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
  });
}
