import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { filtersOf } from '../logic/filters.ts';
import { href, parse, route } from '../router.ts';
import type { Feed } from '../state/feed.ts';
import { FeedTable } from './feed-table.tsx';
import { Empty, Page } from './page.tsx';
import type { Column } from './table.tsx';

interface ListPageProps<Row> {
  /** The page's name in the address: `keys` in `#/keys/key_…`. */
  readonly page: string;
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly feed: Feed<Row>;
  readonly columns: readonly Column<Row>[];
  /** Filters above the table. */
  readonly tools?: ComponentChildren;
  /** Shown if the list has no rows and no filter is set. */
  readonly empty: ComponentChildren;
  /** The panel for the row in the address. */
  readonly detail: (id: string) => ComponentChildren;
  /** Dialogs. */
  readonly children?: ComponentChildren;
}

/** A page with a live list and, next to it, the details of one row. Escape closes the details, wherever the focus is. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { page, title, actions, feed, columns, tools, empty, detail, children } = props;
  const { id, query } = route.value;
  const filters = filtersOf(query);
  const filtered = Object.keys(filters).length > 0;
  useLayoutEffect(() => {
    addEventListener('keydown', closeOnEscape);
    return () => removeEventListener('keydown', closeOnEscape);
  }, []);
  return (
    <Page title={title} actions={actions}>
      <div class="split" data-open={id !== undefined || undefined}>
        <FeedTable
          label={title}
          feed={feed}
          columns={columns}
          linkTo={(row) => href(page, feed.key(row), { ...filters })}
          current={id}
          tools={tools}
          empty={filtered ? <NoMatches page={page} title={title} /> : empty}
        />
        {id !== undefined && detail(id)}
      </div>
      {children}
    </Page>
  );
}

/** Reads the address, because the panel that it names might not be rendered yet. */
function closeOnEscape(event: KeyboardEvent): void {
  const { page, id, query } = parse(location.hash);
  if (event.key !== 'Escape' || event.defaultPrevented || id === undefined || isBusy()) return;
  location.hash = href(page, undefined, { ...filtersOf(query) });
}

/** Whether Escape closes a dialog or the menu instead. */
function isBusy(): boolean {
  return document.querySelector('dialog[open], .sidebar[data-open]') !== null;
}

/** The address that closes the panel: the list with its filters. */
export function backTo(page: string): string {
  return href(page, undefined, { ...filtersOf(route.value.query) });
}

function NoMatches({ page, title }: { page: string; title: string }) {
  return (
    <Empty title={`No matching ${title.toLowerCase()}`}>
      <a class="button" href={href(page)}>
        Clear the filters
      </a>
    </Empty>
  );
}
