const units = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const grouped = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** `3 min. ago`, `in 2 hr.`, `just now`. */
export function relativeTime(at: number, now: number): string {
  const difference = at - now;
  if (Math.abs(difference) < 1500) return 'just now';
  for (const [unit, size] of units) {
    if (Math.abs(difference) >= size) return relative.format(Math.trunc(difference / size), unit);
  }
  return 'just now';
}

/** `2026-01-01 00:00:05 UTC`. */
export function absoluteTime(at: number): string {
  if (!Number.isFinite(at)) return 'unknown time';
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `00:00:05.204`, for logs. */
export function clockTime(at: number): string {
  return Number.isFinite(at) ? new Date(at).toISOString().slice(11, 23) : '';
}

/** `00:00:05.204` on the day of `now`, `01-31 00:00:05` on another. */
export function logTime(at: number, now: number): string {
  const [date, today] = [absoluteTime(at), absoluteTime(now)];
  return date.slice(0, 10) === today.slice(0, 10) ? clockTime(at) : date.slice(5, 19);
}

/** How far a real clock was moved: `3 days ahead`. Less than a minute is the difference between two machines. */
export function clockOffset(ms: number): string | undefined {
  const size = Math.abs(ms);
  const unit = units.find(([name, length]) => size >= length && name !== 'second');
  if (!unit) return undefined;
  const number = Math.round(size / unit[1]);
  return `${number} ${unit[0]}${number === 1 ? '' : 's'} ${ms > 0 ? 'ahead' : 'behind'}`;
}

export function day(at: string): string {
  return at.slice(0, 10);
}

export function count(value: number): string {
  return grouped.format(value);
}

export function share(value: number): string {
  return percent.format(value);
}

/** Minor units → `$42.00`. */
export function money(minor: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
    return format.format(minor / 10 ** digits);
  } catch {
    return `${minor} ${currency}`;
  }
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

export function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** `dlv_…v5x7hc`: ULIDs differ at their end. */
export function shortId(id: string): string {
  const prefix = id.indexOf('_') + 1;
  return id.length > prefix + 12 ? `${id.slice(0, prefix)}…${id.slice(-6)}` : id;
}
