import type { ComponentChildren } from 'preact';
import { serverNow } from '../state/clock.ts';
import { href } from '../state/router.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

const grouped = new Intl.NumberFormat('en');
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

export const count = (value: number): string => grouped.format(value);

/** `2026-01-01 00:00:05 UTC`. */
export function fullTime(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'unknown time';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `in 5m`, `2h ago`. */
function distance(ms: number): string {
  const [unit, size] = units.find(([, length]) => Math.abs(ms) >= length) ?? ['second', 1000];
  return relative.format(Math.trunc(ms / size), unit);
}

/** The time of day, with the date unless it is today's; `ahead` adds how far away it is. */
export function Time({ at, ahead = false }: { at: string; ahead?: boolean }) {
  const full = fullTime(at);
  const today = fullTime(serverNow.value).slice(0, 10) === full.slice(0, 10);
  const short = today ? full.slice(11, 19) : full.slice(0, 19);
  const away = ahead ? ` (${distance(Date.parse(at) - serverNow.value)})` : '';
  return (
    <time dateTime={at} title={full}>
      {short}
      {away}
    </time>
  );
}

/** Minor units → `$42.00`. */
export function money(minor: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  } catch {
    return `${minor} ${currency}`;
  }
}

export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <mark class={tone}>{children}</mark>;
}

const TONES: Readonly<Record<string, Tone>> = {
  active: 'good',
  completed: 'good',
  delivered: 'good',
  enabled: 'good',
  paid: 'good',
  failed: 'bad',
  payment_failed: 'bad',
  revoked: 'bad',
  disabled: 'bad',
  pending: 'warn',
  processing: 'warn',
  open: 'warn',
};

/** The status of a record. */
export function Status({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'plain'}>{status.replaceAll('_', ' ')}</Badge>;
}

const PLACES: Readonly<Record<string, string>> = {
  dlv: 'traffic/deliveries',
  evt: 'traffic/events',
  gen: 'records/generations',
  key: 'records/keys',
  wh: 'records/registrations',
  inv: 'records/invoices',
};

/** An id, as a link to its record if this page shows records of its kind. */
export function Id({ id }: { id: string }) {
  const place = PLACES[id.slice(0, id.indexOf('_'))];
  return place ? <a href={href(`${place}/${id}`)}>{id}</a> : <code>{id}</code>;
}
