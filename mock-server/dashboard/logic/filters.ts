import type { LogFilter } from '../../index.ts';

/** The filters of a list, as stored in its address. */
export interface Filters {
  readonly text?: string;
  readonly status?: string;
  readonly event?: string;
  readonly code?: string;
  readonly url?: string;
  /** `15m`, `1h`, `24h`, `7d`, or a time. */
  readonly since?: string;
  /** `yes` shows the page's own calls, which are hidden by default. */
  readonly own?: string;
}

const names = ['text', 'status', 'event', 'code', 'url', 'since', 'own'] as const;

export type FilterName = (typeof names)[number];

export const ranges = [
  ['', 'Any time'],
  ['5m', 'Last 5 minutes'],
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
] as const;

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export function filtersOf(query: URLSearchParams): Filters {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  );
}

/** The filters as query conditions; `now` is the server's time. */
export function conditionsOf({ since, own: _, ...filters }: Filters, now: number): LogFilter {
  if (!since) return filters;
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(since) ?? [];
  const at =
    amount === undefined ? Date.parse(since) : now - Number(amount) * (unitMs[unit ?? ''] ?? 0);
  return Number.isFinite(at) ? { ...filters, since: new Date(at).toISOString() } : filters;
}
