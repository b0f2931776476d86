import type { Context } from '../domain/context.ts';
import { type MistakeWords, type OptionRule, optionMistake } from '../domain/options.ts';
import { isRejection, type Rejection } from '../domain/rejection.ts';

/**
 * Thrown by control calls: `not_found` when nothing has that id, `invalid_state` when the record's state does not allow
 * the call, `validation_failed` when an argument is wrong.
 */
export class ControlError extends Error {
  /** Always `ControlError`. */
  override readonly name = 'ControlError';
  /** Why the call failed. */
  readonly code: 'not_found' | 'invalid_state' | 'validation_failed';

  constructor(code: ControlError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws `validation_failed` unless the condition holds. */
export function assertArgument(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ControlError('validation_failed', message);
}

/** Throws `validation_failed` for an unknown name and for an invalid value; `failed` says what did not work. */
export function assertArguments(
  failed: string,
  given: object,
  rules: Readonly<Record<string, OptionRule>>,
  words?: MistakeWords,
): void {
  const mistake = optionMistake(given, rules, words);
  assertArgument(mistake === undefined, `${failed}: ${mistake}`);
}

/** The error for an id that does not exist, or that belongs to another organization. */
export function notFound(kind: string, id: string): ControlError {
  return new ControlError('not_found', `No ${kind} has the id ${JSON.stringify(id)}.`);
}

/** Throws `not_found` for an organization that is given but does not exist. */
export function assertOrganization({ store }: Context, organization: string | undefined): void {
  if (organization !== undefined && !store.table('organizations').get(organization)) {
    throw notFound('organization', organization);
  }
}

/**
 * Returns the value, or throws if it is a rejection.
 *
 * @throws ControlError `validation_failed` for a rejected field, `invalid_state` for everything else
 */
export function resultOf<T>(value: T | Rejection): T {
  if (!isRejection(value)) return value;
  const [field] = value.errors ?? [];
  if (field) throw new ControlError('validation_failed', field.message);
  throw new ControlError('invalid_state', value.detail);
}

type LongUnit = 'second' | 'minute' | 'hour' | 'day';
type Unit = 'ms' | 's' | 'min' | 'h' | 'd' | LongUnit | `${LongUnit}s`;

/** Milliseconds, or a string such as `'31 days'`, `'60 s'` or `'5min'`. */
export type Duration = number | `${number}${'' | ' '}${Unit}`;

const UNITS = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const PATTERN =
  /^(\d{1,15}(?:\.\d{1,15})?) ?(?:(ms)|(s|seconds?)|(min|minutes?)|(h|hours?)|(d|days?))$/;

/**
 * Converts a duration to whole milliseconds.
 *
 * @throws ControlError `validation_failed` unless it is a finite number of at least 0, or a number and a unit
 */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) {
    return Math.round(duration);
  }
  const match = typeof duration === 'string' ? PATTERN.exec(duration) : null;
  if (match) {
    const [, count, ...units] = match;
    const unit = Object.values(UNITS)[units.findIndex((found) => found !== undefined)] ?? 0;
    return Math.round(Number(count) * unit);
  }
  throw new ControlError(
    'validation_failed',
    "Failed to read the duration: it is not valid. Pass milliseconds, or '<n> ms|s|min|h|d', or the words second(s), minute(s), hour(s), day(s).",
  );
}

/** Whether it is a duration of at least this many ms. */
export function isDuration(value: unknown, least = 0): boolean {
  try {
    return milliseconds(value as Duration) >= least;
  } catch {
    return false;
  }
}
