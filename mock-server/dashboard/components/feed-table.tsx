import type { ComponentChildren } from 'preact';
import { count } from '../logic/format.ts';
import type { Feed } from '../state/feed.ts';
import { Problem } from './problem.tsx';
import { type Column, VirtualTable } from './virtual-table.tsx';

interface FeedTableProps<Row> {
  readonly label: string;
  readonly feed: Feed<Row>;
  readonly columns: readonly Column<Row>[];
  readonly linkTo: (row: Row) => string;
  readonly current?: string | undefined;
  readonly tools?: ComponentChildren;
  readonly empty: ComponentChildren;
}

/** A live list: its rows, or why there are none. */
export function FeedTable<Row>(props: FeedTableProps<Row>) {
  const { label, feed, columns, linkTo, current, tools, empty } = props;
  const rows = feed.rows.value;
  const total = feed.total.value;
  const failed = feed.error.value !== undefined;
  return (
    <div class="table-card">
      {tools && <div class="table-tools">{tools}</div>}
      {failed && (
        <div class="empty">
          <Problem error={feed.error.value} />
        </div>
      )}
      {rows.length > 0 && (
        <VirtualTable
          label={label}
          columns={columns}
          rows={rows}
          total={total}
          rowKey={feed.key}
          linkTo={linkTo}
          current={current}
          open={!feed.complete.value && !failed}
          onEnd={feed.more}
        />
      )}
      {rows.length === 0 && !failed && (feed.settled.value ? empty : <Loading />)}
      {rows.length > 0 && (
        <div class="table-foot" role="status" data-loaded={rows.length}>
          {count(total)} {total === 1 ? 'row' : 'rows'}
        </div>
      )}
    </div>
  );
}

function Loading() {
  return <p class="empty muted">Loading…</p>;
}
