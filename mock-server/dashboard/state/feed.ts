import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { mergeNewest, type Page } from '../logic/merge.ts';

/** A list that is read page by page, newest first, and reloaded when something happened. */
export interface Feed<Row> {
  readonly key: (row: Row) => string;
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly loading: ReadonlySignal<boolean>;
  /** True after the first read, successful or not. */
  readonly settled: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<unknown>;
  readonly complete: ReadonlySignal<boolean>;
  more(): Promise<void>;
  refresh(): Promise<void>;
  /** Replaces a loaded row; ignores one that is not loaded. */
  replace(row: Row): void;
  /** Adds new rows, oldest first; a row that is loaded already is not added again. */
  prepend(rows: readonly Row[]): void;
}

export interface FeedOptions<Row> {
  readonly read: (cursor: string | undefined) => Promise<Page<Row>>;
  readonly key: (row: Row) => string;
}

export function createFeed<Row>({ read, key }: FeedOptions<Row>): Feed<Row> {
  const page = signal<Page<Row>>({ data: [], nextCursor: null });
  const rows = signal<readonly Row[]>([]);
  const loading = signal(false);
  const settled = signal(false);
  const complete = signal(false);
  const error = signal<unknown>(undefined);
  let again = false;

  const show = (next: Page<Row>) => {
    page.value = next;
    rows.value = next.data;
    complete.value = next.nextCursor === null;
  };

  async function run(work: () => Promise<Page<Row>>): Promise<void> {
    loading.value = true;
    try {
      const next = await work();
      batch(() => {
        show(next);
        error.value = undefined;
      });
    } catch (cause) {
      error.value = cause;
    } finally {
      batch(() => {
        loading.value = false;
        settled.value = true;
      });
    }
    if (!again) return;
    again = false;
    await refresh();
  }

  async function refresh(): Promise<void> {
    if (loading.peek()) {
      again = true;
      return;
    }
    await run(async () => mergeNewest(page.peek(), await read(undefined), key));
  }

  async function more(): Promise<void> {
    const { data, nextCursor } = page.peek();
    if (loading.peek() || nextCursor === null) return;
    await run(async () => {
      const older = await read(nextCursor);
      return { data: [...data, ...older.data], nextCursor: older.nextCursor };
    });
  }

  function replace(row: Row): void {
    const { data, nextCursor } = page.peek();
    const at = data.findIndex((held) => key(held) === key(row));
    if (at >= 0) show({ data: data.with(at, row), nextCursor });
  }

  function prepend(arrived: readonly Row[]): void {
    const { data, nextCursor } = page.peek();
    const newest = new Set(data.slice(0, arrived.length + 500).map(key));
    const fresh = arrived.filter((row) => !newest.has(key(row))).reverse();
    if (fresh.length > 0) show({ data: [...fresh, ...data], nextCursor });
  }

  return { key, rows, loading, settled, error, complete, more, refresh, replace, prepend };
}
