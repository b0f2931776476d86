import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { mergeNewest, type Page, replaceRows } from '../logic/merge.ts';

/** A list that is read page by page, newest first, and refreshed when something has happened. */
export interface Feed<Row> {
  readonly key: (row: Row) => string;
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** How many rows match on the server, loaded or not. */
  readonly total: ReadonlySignal<number>;
  /** True after the first read, successful or not. */
  readonly settled: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  readonly complete: ReadonlySignal<boolean>;
  more(): Promise<void>;
  /** Reads the newest page again, and those of the older rows that changed. */
  refresh(changed?: ReadonlySet<string>): Promise<void>;
}

interface ReadOptions {
  readonly limit: number;
  readonly before?: string;
  readonly ids?: readonly string[];
}

export interface FeedOptions<Row> {
  readonly read: (options: ReadOptions) => Promise<Page<Row>>;
  readonly key: (row: Row) => string;
}

/** How many rows a list shows at first, and how many `more` adds. */
export const PAGE_ROWS = 200;
/** How many rows are read at once to catch up after a burst. */
const CATCH_UP_ROWS = 1000;
/** As many ids as easily fit into a URL. */
const MOST_IDS = 100;

export function createFeed<Row>({ read, key }: FeedOptions<Row>): Feed<Row> {
  const page = signal<Page<Row>>({ data: [], total: 0, complete: false });
  const rows = signal<readonly Row[]>([]);
  const total = signal(0);
  const settled = signal(false);
  const complete = signal(false);
  const error = signal<unknown>(undefined);
  let queue: Promise<void> = Promise.resolve();

  /** One read at a time, in order, so that none starves. */
  function run(work: () => Promise<Page<Row>>): Promise<void> {
    queue = queue.then(async () => {
      try {
        const next = await work();
        batch(() => {
          page.value = next;
          rows.value = next.data;
          total.value = next.total;
          complete.value = next.complete;
          error.value = undefined;
          settled.value = true;
        });
      } catch (cause) {
        batch(() => {
          error.value = cause;
          settled.value = true;
        });
      }
    });
    return queue;
  }

  async function readNewest(): Promise<Page<Row>> {
    const held = page.peek();
    const fresh = await read({ limit: PAGE_ROWS });
    const merged = mergeNewest(held, fresh, key);
    if (merged) return merged;
    const longer = await read({ limit: CATCH_UP_ROWS });
    return mergeNewest(held, longer, key) ?? longer;
  }

  async function readChanged(held: Page<Row>, changed: ReadonlySet<string>): Promise<Page<Row>> {
    const older = new Set(held.data.slice(PAGE_ROWS).map(key));
    const ids = [...changed].filter((id) => older.has(id)).slice(-MOST_IDS);
    if (ids.length === 0) return held;
    const { data } = await read({ limit: MOST_IDS, ids });
    return replaceRows(held, new Set(ids), data, key);
  }

  let loadingMore = false;
  return {
    key,
    rows,
    total,
    settled,
    error,
    complete,
    refresh: (changed = new Set()) => run(async () => readChanged(await readNewest(), changed)),
    async more() {
      if (loadingMore || complete.peek() || !settled.peek()) return;
      loadingMore = true;
      await run(async () => {
        const { data } = page.peek();
        const last = data.at(-1);
        const older = await read({ limit: PAGE_ROWS, ...(last && { before: key(last) }) });
        return { ...older, data: [...data, ...older.data] };
      });
      loadingMore = false;
    },
  };
}
