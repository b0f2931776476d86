import { kindOf, misconfigured } from '../../signing/errors.ts';

const units: Record<string, number> = {
  ms: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** How far the clock that wrote a time can be ahead of ours. */
const skewMs = 300_000;

/** The time that `since` names, in ms. @throws WebhookConfigurationError unless it is a Date, a duration or RFC 3339. */
export function readSince(since: Date | string, nowMs: number): number {
  const time = since instanceof Date ? since.getTime() : parse(since, nowMs);
  if (time > nowMs + skewMs)
    misconfigured(
      `since is ${new Date(Math.min(time, 8.64e15)).toISOString()}, which is in the future`,
      'Pass the time at which the outage began.',
    );
  // There was nothing to miss before 1970, and RFC 3339 has no years below 0.
  if (Number.isFinite(time)) return Math.max(0, time);
  return misconfigured(
    `since is ${typeof since === 'string' && since !== '' ? `'${since.slice(0, 40)}'` : kindOf(since)}`,
    "Pass a Date, an RFC 3339 time with its zone, or a duration such as '3 days'.",
  );
}

function parse(since: unknown, nowMs: number): number {
  if (typeof since !== 'string') return Number.NaN;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?(ms|second|minute|hour|day)s?$/.exec(since) ?? [];
  if (count) return nowMs - Number(count) * (units[unit] as number);
  const [, year, month, day] = rfc3339.exec(since) ?? [];
  // Date.parse reads February 31 as a day in March.
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= last ? Date.parse(since) : Number.NaN;
}
