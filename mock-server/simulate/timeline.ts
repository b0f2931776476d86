import type { TraceEntry } from './reproduction-format.ts';

/** Lines that a report shows; the whole timeline is in the reproduction file. */
const MOST_LINES = 80;

/** A run as a person reads it: one line per step, with the time since its start. */
export function timelineOf(entries: readonly TraceEntry[]): string {
  const shown = entries.filter(({ minor }) => !minor);
  const start = shown[0]?.at ?? 0;
  const width = shown.reduce((most, { who }) => Math.max(most, who.length), 0);
  return shown.map((entry) => lineOf(entry, start, width)).join('\n');
}

/** The end of a long timeline. */
export function lastLines(timeline: string): string {
  const lines = timeline.split('\n');
  if (lines.length <= MOST_LINES) return timeline;
  const left = lines.length - MOST_LINES;
  return [`… ${left} earlier steps`, ...lines.slice(-MOST_LINES)].join('\n');
}

function lineOf({ at, who, what }: TraceEntry, start: number, width: number): string {
  return `${clockTime(at - start)}  ${who.padEnd(width)}  ${shorten(what)}`;
}

/** `00:00:04.100`, with the days in front if there are any. */
export function clockTime(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  const time = new Date(ms % 86_400_000).toISOString().slice(11, 23);
  return days === 0 ? time : `${days} d ${time}`;
}

/** Ids by their last characters, which distinguish them. */
export function shorten(text: string): string {
  return text.replace(/\b([a-z]{3})_[0-9a-z]{22}([0-9a-z]{4})\b/g, '$1_…$2');
}
