import { useEffect, useMemo } from 'preact/hooks';
import type { Page } from '../logic/merge.ts';
import { createFeed, type Feed, type FeedOptions } from '../state/feed.ts';
import { type Activity, onActivity } from '../state/live.ts';
import { view } from '../state/session.ts';

const firstPage = 100;
const maxRowsToReload = 20;

interface LiveFeedOptions<Row> extends FeedOptions<Row> {
  /** Updates the feed after something happened: reloads it, replaces a row or adds rows. */
  readonly follow: (feed: Feed<Row>, activity: Activity) => void;
  /** What the list depends on besides organization, role and server. */
  readonly depends?: string;
}

/** A list of this page's organization and role that follows what happens on the server. */
export function useFeed<Row>(options: LiveFeedOptions<Row>): Feed<Row> {
  const scope = `${view.value}:${options.depends ?? ''}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `scope` means another list
  const feed = useMemo(() => createFeed(options), [scope]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the feed stands for its options
  useEffect(() => {
    void feed.refresh();
    return onActivity((activity) => options.follow(feed, activity));
  }, [feed]);
  return feed;
}

interface ResourceOptions<Row> {
  readonly list: (query: {
    readonly limit: number;
    readonly cursor?: string;
  }) => PromiseLike<Page<Row>>;
  readonly get: (id: string) => Promise<Row>;
  readonly key: (row: Row) => string;
  /** The prefix of the events about these rows: `webhook.`. */
  readonly events: string;
  readonly depends?: string;
}

/** A list of the public API. */
export function useResourceFeed<Row>(options: ResourceOptions<Row>): Feed<Row> {
  const { list, get, key, events, depends = '' } = options;
  return useFeed<Row>({
    async read(cursor) {
      const page = await list({ limit: firstPage, ...(cursor !== undefined && { cursor }) });
      return { data: page.data, nextCursor: page.nextCursor };
    },
    key,
    depends,
    follow: following(events, get),
  });
}

/** After an event whose type starts with `prefix`, reloads the newest page and each older row that changed. */
export function following<Row>(
  prefix: string,
  readOne: (id: string) => Promise<Row>,
): LiveFeedOptions<Row>['follow'] {
  return (feed, { events }) => {
    const subjects = events.flatMap(({ type, subject }) =>
      type.startsWith(prefix) ? [subject ?? ''] : [],
    );
    if (subjects.length === 0) return;
    void feed.refresh();
    const older = new Set(feed.rows.peek().slice(firstPage).map(feed.key));
    for (const id of new Set(subjects.slice(-maxRowsToReload))) {
      if (older.has(id)) readOne(id).then(feed.replace, () => {});
    }
  };
}

/** Whether an event is about something whose event types start with `prefix`. */
export function isAbout(prefix: string): (activity: Activity) => boolean {
  return ({ events }) => events.some(({ type }) => type.startsWith(prefix));
}
