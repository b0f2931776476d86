import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { LogFilter, SearchRows } from '../../index.ts';
import { conditionsOf, filtersOf } from '../logic/filters.ts';
import { route } from '../router.ts';
import { currentTime } from '../state/clock.ts';
import { type ListName, readPage } from '../state/control.ts';
import { createFeed, type Feed } from '../state/feed.ts';
import { type Activity, onActivity } from '../state/live.ts';
import { view } from '../state/session.ts';

/** While much happens, reading a list again takes at most a tenth of the time, and the pause between two reads this long. */
const LONGEST_PAUSE_MS = 1000;
const SHARE_OF_TIME = 10;

interface ListOptions<Row> {
  readonly key: (row: Row) => string;
  /** What every row of the list has in common. */
  readonly base: LogFilter;
  /** Ids of the rows that something happened to; undefined if nothing concerns the list. */
  readonly touched: (activity: Activity) => readonly string[] | undefined;
  /** Throws where the chosen role is not allowed to see the list. */
  readonly allowed?: () => PromiseLike<unknown>;
}

/** A list of the server under the filters of the address, which follows what happens. */
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

/** Refreshes the feed at once when something happened, and then after a pause that fits what a read costs. */
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

/** Keeps showing the rows of the last filters until those of the new ones are there. */
function useLastSettled<Row>(feed: Feed<Row>, of: string): Feed<Row> {
  const last = useRef({ feed, of });
  if (feed.settled.value || last.current.of !== of) last.current = { feed, of };
  return last.current.feed;
}

/** The subjects of the events whose type starts with `prefix`. */
export const subjectsOf =
  (prefix: string) =>
  ({ events }: Activity): readonly string[] | undefined => {
    const subjects = events.flatMap(({ type, subject }) =>
      type.startsWith(prefix) ? [subject ?? ''] : [],
    );
    return subjects.length > 0 ? subjects : undefined;
  };

/** Whether an event is about something whose event types start with `prefix`. */
export function isAbout(prefix: string): (activity: Activity) => boolean {
  return (activity) => subjectsOf(prefix)(activity) !== undefined;
}
