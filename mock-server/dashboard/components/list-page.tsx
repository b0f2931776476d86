import type { ComponentChildren } from 'preact';
import { href, route } from '../router.ts';
import type { Feed } from '../state/feed.ts';
import { FeedTable } from './feed-table.tsx';
import { Page } from './page.tsx';
import type { Column } from './virtual-table.tsx';

interface ListPageProps<Row> {
  /** The page's name in the address: `keys` in `#/keys/key_…`. */
  readonly page: string;
  readonly title: string;
  readonly actions?: ComponentChildren;
  readonly feed: Feed<Row>;
  /** The rows to show, if they are filtered. */
  readonly rows?: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The query that links to rows keep. */
  readonly query?: Record<string, string> | undefined;
  /** Filters above the table. */
  readonly tools?: ComponentChildren;
  /** Shown when there is no row. */
  readonly empty: ComponentChildren;
  /** The panel for the row in the address. */
  readonly detail: (id: string) => ComponentChildren;
  /** Dialogs. */
  readonly children?: ComponentChildren;
}

/** A page with a live list and, beside it, the details of one row. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { page, title, actions, feed, rows, columns, query, tools, empty, detail, children } =
    props;
  const { id } = route.value;
  return (
    <Page title={title} actions={actions}>
      <div class="split" data-open={id !== undefined || undefined}>
        <FeedTable
          label={title}
          feed={feed}
          rows={rows}
          columns={columns}
          linkTo={(row) => href(page, feed.key(row), query)}
          current={id}
          tools={tools}
          empty={empty}
        />
        {id !== undefined && detail(id)}
      </div>
      {children}
    </Page>
  );
}
