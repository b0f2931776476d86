import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { LogFilter, SearchRows } from '../../index.ts';
import { conditionsOf, filtersOf } from '../logic/filters.ts';
import { route } from '../router.ts';
import { currentTime } from '../state/clock.ts';
import { type ListName, readPage } from '../state/control.ts';
import { createFeed, type Feed } from '../state/feed.ts';
import { type Activity, onActivity } from '../state/live.ts';
import { view } from '../state/session.ts';

/**
 * After each read of a list comes a pause, so that reads take at most a tenth of the time. No pause is longer than
 * this.
 */
const LONGEST_PAUSE_MS = 1000;
const SHARE_OF_TIME = 10;

interface ListOptions<Row> {
  readonly key: (row: Row) => string;
  /** Conditions in addition to the filters. */
  readonly base: LogFilter;
  /** Returns the ids of the rows that the activity changed, or undefined if it does not affect the list. */
  readonly touched: (activity: Activity) => readonly string[] | undefined;
  /** Rejects if the chosen role is not allowed to see the list. */
  readonly allowed?: () => PromiseLike<unknown>;
}

/** A live list from the server, filtered as the address says. */
export function useList<Name extends ListName>(
  name: Name,
  options: ListOptions<SearchRows[Name]>,
): Feed<SearchRows[Name]> {
  const filters = filtersOf(route.value.query);
  const scope = `${view.value}:${JSON.stringify(filters)}:${JSON.stringify(options.base)}`;
  const { key, touched } = options;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `scope` means another list
  const feed = useMemo(
    () =>
      createFeed<SearchRows[Name]>({
        key,
        async read(page) {
          await options.allowed?.();
          return readPage(name, {
            ...conditionsOf(filters, currentTime()),
            ...options.base,
            ...page,
          });
        },
      }),
    [scope],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the feed stands for its options
  useEffect(() => {
    void feed.refresh();
    return follow(feed, touched);
  }, [feed]);
  return useLastSettled(feed, view.value);
}

/** Refreshes the feed as soon as something changes, with a pause after each read that grows with its duration. */
function follow<Row>(feed: Feed<Row>, touched: ListOptions<Row>['touched']): () => void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let changed = new Set<string>();
  let next = 0;
  const stop = onActivity((activity) => {
    const ids = touched(activity);
    if (!ids) return;
    for (const id of ids) changed.add(id);
    waiting ??= setTimeout(
      async () => {
        const ids = changed;
        changed = new Set();
        const began = performance.now();
        await feed.refresh(ids);
        const ended = performance.now();
        next = ended + Math.min(LONGEST_PAUSE_MS, SHARE_OF_TIME * (ended - began));
        waiting = undefined;
      },
      Math.max(0, next - performance.now()),
    );
  });
  return () => {
    stop();
    clearTimeout(waiting);
  };
}

/** Keeps showing the rows of the last filters until those of the new ones have arrived. */
function useLastSettled<Row>(feed: Feed<Row>, of: string): Feed<Row> {
  const last = useRef({ feed, of });
  if (feed.settled.value || last.current.of !== of) last.current = { feed, of };
  return last.current.feed;
}

/** Returns the subjects of the events whose type starts with `prefix`, or undefined if there are none. */
export const subjectsOf =
  (prefix: string) =>
  ({ events }: Activity): readonly string[] | undefined => {
    const subjects = events.flatMap(({ type, subject }) =>
      type.startsWith(prefix) ? [subject ?? ''] : [],
    );
    return subjects.length > 0 ? subjects : undefined;
  };

/** Whether there is an event whose type starts with `prefix`. */
export function isAbout(prefix: string): (activity: Activity) => boolean {
  return (activity) => subjectsOf(prefix)(activity) !== undefined;
}
