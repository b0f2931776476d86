import { absoluteTime, logTime, relativeTime } from '../logic/format.ts';
import { serverNow } from '../state/clock.ts';

/** A time relative to the server's clock; the absolute time appears on hover. */
export function Time({ at }: { at: string | undefined | null }) {
  if (!at) return <span class="muted">—</span>;
  const absolute = absoluteTime(Date.parse(at));
  return (
    <time dateTime={at} title={absolute}>
      {relativeTime(Date.parse(at), serverNow.value)}
    </time>
  );
}

/** The time of day, for logs, with the date if it is not today; date and relative time on hover. */
export function LogTime({ at }: { at: string }) {
  const value = Date.parse(at);
  return (
    <time
      class="mono"
      dateTime={at}
      title={`${absoluteTime(value)}, ${relativeTime(value, serverNow.peek())}`}
    >
      {logTime(value, serverNow.value)}
    </time>
  );
}

/** The absolute and the relative time. */
export function FullTime({ at }: { at: string | undefined | null }) {
  if (!at) return <span class="muted">—</span>;
  const value = Date.parse(at);
  return (
    <time dateTime={at}>
      {absoluteTime(value)} <span class="muted">({relativeTime(value, serverNow.value)})</span>
    </time>
  );
}
