import { type Duration, milliseconds } from '../control/arguments.ts';

/** A probability from 0 to 1. */
type Probability = number;

/**
 * What goes wrong, and how often. Anything left out never happens; without `chaos`, a mix of everything that a correct
 * application survives.
 */
export interface Chaos {
  /** Per call of the API, and per callback: it is handled, but the response is lost. */
  readonly loseAnswer?: Probability;
  /** Per callback: a second copy arrives. */
  readonly duplicate?: Probability;
  /** Per message: it takes up to 5 seconds to arrive, so others overtake it. */
  readonly reorder?: Probability;
  /** One callback in five is sent up to this much later. */
  readonly delay?: Duration;
  /** Per call of `client`, `fetch`, `disk` or `clock`: the instance crashes there, before or after its effect. */
  readonly crash?: Probability;
  /** Per call: the instance and its timers freeze for up to 2 minutes, and its leases expire. */
  readonly pause?: Probability;
  /** Per callback: the connection to the application is refused. */
  readonly refused?: Probability;
  /** Per call of the API: the connection fails before the request arrives. */
  readonly unreachable?: Probability;
  /** Per call of the API: no response arrives before the client gives up. */
  readonly timeout?: Probability;
  /** Per call of the API: 503. */
  readonly unavailable?: Probability;
  /** Per call of the API: it gets 429 with `Retry-After`, and so does every other call in the next seconds (at most 30). */
  readonly rateLimited?: Probability;
  /** Per generation: the model fails. */
  readonly modelFails?: Probability;
  /** How far an instance's clock can be off, in either direction. */
  readonly clockSkew?: Duration;
  /** Per run: the API key is revoked, and the application gets a new one up to a minute later. */
  readonly keyRevoked?: Probability;
  /** Per run: the signing secret is rotated; the old one signs for another 24 hours. */
  readonly secretRotated?: Probability;
  /** Per run: the monthly quota is used up at some moment. */
  readonly quotaReached?: Probability;
}

const DEFAULT_CHAOS: Chaos = {
  loseAnswer: 0.1,
  duplicate: 0.1,
  reorder: 0.2,
  delay: '2 minutes',
  crash: 0.02,
  refused: 0.02,
  unreachable: 0.02,
  timeout: 0.01,
  unavailable: 0.05,
  rateLimited: 0.02,
  modelFails: 0.02,
};

/** `Chaos` with durations in ms, and 0 for everything that was left out. */
export type ResolvedChaos = { readonly [Name in keyof Chaos]-?: number };

const PROBABILITIES = [
  ...(['loseAnswer', 'duplicate', 'reorder', 'crash', 'pause', 'refused', 'unreachable'] as const),
  ...(['timeout', 'unavailable', 'rateLimited', 'modelFails', 'keyRevoked'] as const),
  ...(['secretRotated', 'quotaReached'] as const),
];
const DURATIONS = ['delay', 'clockSkew'] as const;

/** @throws TypeError that names what is wrong */
export function resolveChaos(chaos: Chaos = DEFAULT_CHAOS): ResolvedChaos {
  if (typeof chaos !== 'object' || chaos === null) throw new TypeError('chaos must be an object.');
  const known: readonly string[] = [...PROBABILITIES, ...DURATIONS];
  const unknown = Object.keys(chaos).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`There is no chaos.${unknown}. Use ${known.join(', ')}.`);
  }
  const probabilities = PROBABILITIES.map((name) => {
    const value = chaos[name] ?? 0;
    if (value >= 0 && value <= 1) return [name, value];
    throw new TypeError(`chaos.${name} must be a probability from 0 to 1.`);
  });
  const durations = DURATIONS.map((name) => [name, durationOf(`chaos.${name}`, chaos[name] ?? 0)]);
  return Object.fromEntries([...probabilities, ...durations]) as ResolvedChaos;
}

/** A duration in ms. @throws TypeError that names the option */
export function durationOf(name: string, value: Duration): number {
  try {
    return milliseconds(value);
  } catch (cause) {
    const message = `${name} must be milliseconds or a duration such as '2 minutes'.`;
    throw new TypeError(message, { cause });
  }
}
