import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { count } from '../logic/format.ts';
import type { Feed } from '../state/feed.ts';
import { Problem } from './problem.tsx';
import { type Column, VirtualTable } from './virtual-table.tsx';

interface FeedTableProps<Row> {
  readonly label: string;
  readonly feed: Feed<Row>;
  /** The rows to show, if they are filtered. */
  readonly rows?: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly linkTo: (row: Row) => string;
  readonly current?: string | undefined;
  readonly tools?: ComponentChildren;
  readonly empty: ComponentChildren;
}

/** A live list: its rows, or why there are none. */
export function FeedTable<Row>(props: FeedTableProps<Row>) {
  const { label, feed, columns, linkTo, current, tools, empty } = props;
  const rows = props.rows ?? feed.rows.value;
  const failed = feed.error.value !== undefined;
  const open = !feed.complete.value && !failed;
  const { length } = feed.rows.value;
  useEffect(() => {
    if (rows.length === 0 && length > 0 && open) void feed.more();
  }, [feed, rows.length, length, open]);
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
          rowKey={feed.key}
          linkTo={linkTo}
          current={current}
          open={open}
          onEnd={feed.more}
        />
      )}
      {rows.length === 0 && !failed && (feed.settled.value && !open ? empty : <Loading />)}
      {rows.length > 0 && (
        <div class="table-foot" role="status">
          {count(rows.length)} {rows.length === 1 ? 'row' : 'rows'}
          {open && ', more below'}
        </div>
      )}
    </div>
  );
}

function Loading() {
  return <p class="empty muted">Loading…</p>;
}
