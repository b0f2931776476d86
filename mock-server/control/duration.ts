import { ControlError } from './control-error.ts';

type Unit = 'ms' | 'second' | 'minute' | 'hour' | 'day';

/** Milliseconds, or for instance `'31 days'`. */
export type Duration = number | `${number} ${Unit}` | `${number} ${Exclude<Unit, 'ms'>}s`;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

const PATTERN = /^(\d+(?:\.\d+)?) (ms|(?:second|minute|hour|day)s?)$/;

/**
 * Whole milliseconds of a duration.
 *
 * @throws ControlError `validation_failed` unless it is a finite number of at least 0 or `'<n> <unit>'`.
 */
export function milliseconds(duration: Duration): number {
  if (typeof duration === 'number' && Number.isFinite(duration) && duration >= 0) {
    return Math.round(duration);
  }
  const found = typeof duration === 'string' ? PATTERN.exec(duration) : null;
  const unit = found?.[2] === 'ms' ? 1 : UNITS[found?.[2]?.replace(/s$/, '') ?? ''];
  if (found && unit !== undefined) return Math.round(Number(found[1]) * unit);
  throw new ControlError(
    'validation_failed',
    "Failed to read a duration: give milliseconds or '<n> ms|second(s)|minute(s)|hour(s)|day(s)'.",
  );
}
