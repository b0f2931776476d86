import { type Duration, isDuration, milliseconds } from '../control/arguments.ts';
import { readInstant } from '../control/clock/advance-clock.ts';
import { type Parse, UsageError } from './values.ts';

/** How far the clock that wrote a time can be ahead of ours. */
const skewMs = 300_000;

/** A time in the past, as a duration or RFC 3339. Only the service may know what time it is now. */
export const since: Parse<(nowMs: number) => Date> = (text, name) => {
  const duration = isDuration(text) ? milliseconds(text as Duration) : undefined;
  const fixed = readInstant(text);
  if (duration === undefined && fixed === undefined)
    throw new UsageError(
      `${name} must be a duration such as '2 hours', or an ISO 8601 time with its zone, not '${text}'.`,
    );
  return (nowMs) => {
    const time = fixed ?? nowMs - (duration ?? 0);
    if (time > nowMs + skewMs) throw new UsageError(`${name} is in the future: '${text}'.`);
    // There was nothing to miss before 1970.
    return new Date(Math.max(0, time));
  };
};
