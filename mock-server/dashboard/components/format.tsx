import type { ComponentChildren } from 'preact';
import { serverNow } from '../state/clock.ts';
import { href } from '../state/router.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

const grouped = new Intl.NumberFormat('en');

export const count = (value: number): string => grouped.format(value);

/** `maxTokens` → `Max tokens`. */
export function words(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(/\burl\b/i, 'URL');
}

/** `2026-01-01 00:00:05 UTC`. */
export function fullTime(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'unknown time';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The time of day, with the date unless it is today's. */
export function Time({ at }: { at: string }) {
  const full = fullTime(at);
  const today = fullTime(serverNow.value).slice(0, 10) === full.slice(0, 10);
  return (
    <time dateTime={at} title={full}>
      {today ? full.slice(11, 19) : full.slice(0, 19)}
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

export const toneOf = (status: string): Tone => TONES[status] ?? 'plain';

const PLACES: Readonly<Record<string, string>> = {
  dlv: 'traffic/deliveries',
  evt: 'traffic/events',
  gen: 'records/generations',
  key: 'records/keys',
  wh: 'records/registrations',
  inv: 'records/invoices',
};

/** A field of a record as its name suggests: a status, a time, an address, an id as a link to its record. */
export function shown(name: string, value: unknown): ComponentChildren {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return name.endsWith('Ms') ? duration(value) : count(value);
  const text = String(value ?? '');
  if (name === 'status') return <Badge tone={toneOf(text)}>{text.replaceAll('_', ' ')}</Badge>;
  if (/^at$|At$|Since$|^period/.test(name)) return <Time at={text} />;
  if (/url$|^path$/i.test(name)) return <span class="url">{text}</span>;
  const place = PLACES[/^([a-z]+)_[0-9a-z]+$/.exec(text)?.[1] ?? ''];
  return place ? <a href={href(`${place}/${text}`)}>{text}</a> : text;
}
