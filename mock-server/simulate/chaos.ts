import { type Duration, isDuration, milliseconds } from '../control/arguments.ts';
import {
  invalidOption,
  isObject,
  mustBe,
  numberFrom,
  type OptionRule,
  optionMistake,
} from '../domain/options.ts';

/** A probability from 0 to 1. */
type Probability = number;

/**
 * What goes wrong, and how often. Anything left out never happens; without `chaos`, a mix of everything that a correct
 * application survives. What `mock.faults` can do too has the same name there.
 */
export interface Chaos {
  /** Per call of the API or of an external service, and per callback: it is handled, but the response is lost. */
  readonly loseAnswer?: Probability;
  /** Per callback, and per message to an external service: a second copy arrives. */
  readonly duplicate?: Probability;
  /** Per message: it takes up to 5 seconds to arrive, so others overtake it. */
  readonly reorder?: Probability;
  /** One callback in five is sent up to this much later. */
  readonly delay?: Duration;
  /** Per call through the context: the instance crashes there, before or after its effect. */
  readonly crash?: Probability;
  /** Per call: the instance and its timers freeze for up to 2 minutes, and its leases expire. */
  readonly pause?: Probability;
  /** Per callback: nothing is sent, and the attempt fails. */
  readonly drop?: Probability;
  /** Per call of the API or of an external service: the connection fails before the request arrives. */
  readonly unreachable?: Probability;
  /** As `unreachable`, but the response never comes, and the request might or might not have arrived. */
  readonly stall?: Probability;
  /** Per call that could be streamed: an event stream breaks after at most five events. Default: 0. */
  readonly cutStream?: Probability;
  /** Per call of the API: 503. */
  readonly unavailable?: Probability;
  /** Per call of the API: it gets 429 with `Retry-After`, and so does every other call in the next seconds (at most 30). */
  readonly rateLimited?: Probability;
  /**
   * Per statement of a transaction of `sqlDisk`, and per connection: 40001 or 40P01, a full pool, or a connection lost
   * during COMMIT (08006), which might have committed or not.
   */
  readonly database?: Probability;
  /** Per generation: the model fails. */
  readonly modelFails?: Probability;
  /** How far an instance's clock can be off, in either direction. */
  readonly clockSkew?: Duration;
  /** Per run: the signing secret is rotated; the old one signs for another 24 hours or, after a leak, 3 seconds. */
  readonly secretRotated?: Probability;
}

/** `Chaos` with durations in ms, and 0 for everything that was left out. */
export type ResolvedChaos = { readonly [Name in keyof Chaos]-?: number };

const probability = numberFrom('a probability from 0 to 1', 0, 1);
/** `2 minutes`, or a number of milliseconds. */
const duration = mustBe("milliseconds or a duration such as '2 minutes'", isDuration);

/** Of each fault: its rule, and what it is in a run without `chaos`; 0 if that is left out. */
const KINDS: Readonly<Record<keyof Chaos, readonly [rule: OptionRule, usual?: Duration]>> = {
  loseAnswer: [probability, 0.1],
  duplicate: [probability, 0.1],
  reorder: [probability, 0.2],
  delay: [duration, '2 minutes'],
  crash: [probability, 0.02],
  pause: [probability],
  drop: [probability, 0.02],
  unreachable: [probability, 0.02],
  stall: [probability, 0.01],
  cutStream: [probability],
  unavailable: [probability, 0.05],
  rateLimited: [probability, 0.02],
  database: [probability, 0.01],
  modelFails: [probability, 0.02],
  clockSkew: [duration],
  secretRotated: [probability],
};
const kinds = Object.entries(KINDS) as [keyof Chaos, (typeof KINDS)[keyof Chaos]][];
const rules = Object.fromEntries(kinds.map(([name, [rule]]) => [name, rule]));

/** What is wrong with `chaos`, as a sentence; undefined if nothing is. */
export function findChaosMistake(chaos: unknown): string | undefined {
  const invalid = isObject(chaos) && invalidOption(chaos, rules);
  if (invalid) return `chaos.${invalid.name} ${invalid.problem}`;
  return optionMistake(chaos, rules, { whole: 'chaos', unknown: 'unknown chaos' });
}

/** Nothing goes wrong. */
export const noChaos: ResolvedChaos = resolveChaos({});

export function resolveChaos(chaos?: Chaos): ResolvedChaos {
  const resolved = kinds.map(([name, [rule, usual = 0]]) => {
    const value = chaos ? (chaos[name] ?? 0) : usual;
    return [name, rule === duration ? milliseconds(value) : value];
  });
  return Object.fromEntries(resolved) as ResolvedChaos;
}
