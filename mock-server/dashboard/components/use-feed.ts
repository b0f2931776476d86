import { useEffect, useMemo } from 'preact/hooks';
import { createFeed, type Feed, type FeedOptions } from '../state/feed.ts';
import { type Happenings, onHappenings } from '../state/live.ts';
import { view } from '../state/session.ts';

interface LiveFeedOptions<Row> extends FeedOptions<Row> {
  /** What happened, put to use: read anew, replace a row, add rows. */
  readonly follow: (feed: Feed<Row>, happenings: Happenings) => void;
  /** What besides organization, role and server the list depends on. */
  readonly depends?: string;
}

/** A feed of this page's organization and role that follows what happens on the server. */
export function useFeed<Row>(options: LiveFeedOptions<Row>): Feed<Row> {
  const scope = `${view.value}:${options.depends ?? ''}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `scope` says when the list is another one
  const feed = useMemo(() => createFeed(options), [scope]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the feed stands for its options
  useEffect(() => {
    void feed.refresh();
    return onHappenings((happenings) => options.follow(feed, happenings));
  }, [feed]);
  return feed;
}

/**
 * Reads the newest page anew after an event whose type begins with `prefix`, and each row further
 * down that an event is about on its own.
 */
export function following<Row>(
  prefix: string,
  key: (row: Row) => string,
  readOne: (id: string) => Promise<Row>,
): LiveFeedOptions<Row>['follow'] {
  return (feed, { events }) => {
    const subjects = events.flatMap(({ type, subject }) =>
      type.startsWith(prefix) ? [subject ?? ''] : [],
    );
    if (subjects.length === 0) return;
    void feed.refresh();
    const older = new Set(feed.rows.peek().slice(firstPage).map(key));
    for (const id of new Set(subjects.slice(-20))) {
      if (older.has(id)) readOne(id).then(feed.replace, () => {});
    }
  };
}

const firstPage = 100;

export function about(prefix: string): (happenings: Happenings) => boolean {
  return ({ events }) => events.some(({ type }) => type.startsWith(prefix));
}
