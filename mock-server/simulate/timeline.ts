import type { TraceEntry } from './trace.ts';

/** A timeline of this many lines is shown as it is; of a longer one, half as many with what is between them. */
const SCREEN_LINES = 46;
const LAST_LINES = 5;

/** A run as a person reads it: one line per step, with the time since its start. */
export function timelineOf(entries: readonly TraceEntry[]): string {
  const shown = entries.filter(({ minor }) => !minor);
  const start = shown[0]?.at ?? 0;
  const width = widthOf(shown);
  return shown.map((entry) => lineOf(entry, start, width)).join('\n');
}

/**
 * What a report shows of a run, on one screen: of a long timeline it keeps the end, the faults and the lines of the ids
 * in the cause.
 */
export function reportOf(entries: readonly TraceEntry[], cause: string): string {
  const shown = entries.filter(({ minor }) => !minor);
  const ids = cause.match(/\b[a-z]{3}_[0-9a-z]{26}\b/g) ?? [];
  const isLong = shown.length > SCREEN_LINES;
  const matters = ({ fault, what }: TraceEntry, index: number) =>
    !isLong || fault || index >= shown.length - LAST_LINES || ids.some((id) => what.includes(id));
  const indices = shown.flatMap((entry, index) => (matters(entry, index) ? [index] : []));
  const kept = isLong ? indices.slice(-SCREEN_LINES / 2) : indices;
  const width = widthOf(shown);
  return kept
    .flatMap((index, order) => {
      const left = index - (kept[order - 1] ?? -1) - 1;
      const line = lineOf(shown[index] as TraceEntry, shown[0]?.at ?? 0, width);
      return left > 0 ? [`… ${left} steps`, line] : [line];
    })
    .join('\n');
}

const widthOf = (entries: readonly TraceEntry[]) =>
  entries.reduce((most, { who }) => Math.max(most, who.length), 0);

function lineOf({ at, who, what }: TraceEntry, start: number, width: number): string {
  return `${clockTime(at - start)}  ${who.padEnd(width)}  ${shorten(what)}`;
}

/** `00:00:04.100`, with the days in front if there are any. */
function clockTime(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  const time = new Date(ms % 86_400_000).toISOString().slice(11, 23);
  return days === 0 ? time : `${days} d ${time}`;
}

/** Ids by their last characters, which distinguish them. */
function shorten(text: string): string {
  return text.replace(/\b([a-z]{3})_[0-9a-z]{22}([0-9a-z]{4})\b/g, '$1_…$2');
}
