import { isDuration } from '../control/arguments.ts';
import {
  callback,
  checkedLater,
  integerFrom,
  isObject,
  mustBe,
  numberFrom,
  type OptionRules,
  optionMistake,
} from '../domain/options.ts';
import { findChaosMistake } from './chaos.ts';
import type { InvariantOptions } from './invariants.ts';
import type { SimulateOptions } from './options.ts';

/** Twice the time-out of the client for `generateContent`: faults end in the middle of the time to settle. */
const LEAST_TO_SETTLE_MS = 1_200_000;

const wait = numberFrom('a number of milliseconds, 0 or more', 0, Number.MAX_VALUE);

const rules: OptionRules<SimulateOptions<unknown>> = {
  app: callback,
  run: callback,
  receive: callback,
  check: callback,
  always: callback,
  effects: callback,
  shrinkMs: wait,
  patience: wait,
  replicas: integerFrom(1),
  url: mustBe('an absolute URL', (value) => URL.canParse(String(value))),
  invariants: mustBe(
    'an object, or false to switch all of them off',
    (value) => value === false || isObject(value),
  ),
  seeds: checkedLater,
  chaos: checkedLater,
  settleFor: mustBe(
    'at least 20 minutes: a call of the client times out after 10 and is then repeated, so a shorter run would end before a correct application has finished',
    (value) => isDuration(value, LEAST_TO_SETTLE_MS),
  ),
  globals: checkedLater,
  server: checkedLater,
  deployment: checkedLater,
};
const invariantRules: OptionRules<InvariantOptions> = {
  effects: checkedLater,
  billing: checkedLater,
  rejections: checkedLater,
  waits: checkedLater,
  secrets: checkedLater,
};

/**
 * Rejects unknown and invalid options: a simulation that ignored one would check less than it was asked to.
 * @throws TypeError that names what is wrong
 */
export function checkOptions<App>(options: SimulateOptions<App>): void {
  if (!options?.app || !options.run) {
    throw new TypeError('simulate needs options: simulate({ app, receive, run }).');
  }
  const { chaos, invariants } = options;
  const mistake =
    optionMistake(options, rules) ??
    (chaos === undefined ? undefined : findChaosMistake(chaos)) ??
    optionMistake(invariants || {}, invariantRules);
  if (mistake) throw new TypeError(`Failed to simulate: ${mistake}`);
}
