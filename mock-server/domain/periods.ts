/** A calendar month in UTC. */
export interface Period {
  readonly start: number;
  /** The first instant of the next month. */
  readonly end: number;
}

let lastPeriod: Period = { start: 0, end: 0 };

export function periodOf(at: number): Period {
  if (at >= lastPeriod.start && at < lastPeriod.end) return lastPeriod;
  const day = new Date(at);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  lastPeriod = { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
  return lastPeriod;
}

export const usageId = (organization: string, period: Period): string =>
  `${organization}:${period.start}`;

const TEXTS_KEPT = 64;
const texts = new Map<number, string>();

/** RFC 3339 in UTC with milliseconds. */
export function timestamp(at: number): string {
  const known = texts.get(at);
  if (known !== undefined) return known;
  const text = new Date(at).toISOString();
  if (texts.size >= TEXTS_KEPT) texts.clear();
  texts.set(at, text);
  return text;
}
