import { type Duration, isDuration, milliseconds } from '../control/arguments.ts';
import { type Parse, UsageError } from './values.ts';

const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** How far the clock that wrote a time can be ahead of ours. */
const skewMs = 300_000;

/** A time in the past, as a duration or RFC 3339. Only the service may know what time it is now. */
export const since: Parse<(nowMs: number) => Date> = (text, name) => {
  const duration = isDuration(text) ? milliseconds(text as Duration) : undefined;
  const fixed = timeOf(text);
  if (duration === undefined && Number.isNaN(fixed))
    throw new UsageError(
      `${name} must be a duration such as '2 hours', or an ISO 8601 time with its zone, not '${text}'.`,
    );
  return (nowMs) => {
    const time = duration === undefined ? fixed : nowMs - duration;
    if (time > nowMs + skewMs) throw new UsageError(`${name} is in the future: '${text}'.`);
    // There was nothing to miss before 1970, and RFC 3339 has no years below 0.
    return new Date(Math.max(0, time));
  };
};

function timeOf(text: string): number {
  const [, year, month, day] = rfc3339.exec(text) ?? [];
  // Date.parse reads February 31 as a day in March.
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= last ? Date.parse(text) : Number.NaN;
}
