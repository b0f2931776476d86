import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { count } from '../logic/format.ts';
import { type Feed, PAGE_ROWS } from '../state/feed.ts';
import { Problem } from './problem.tsx';
import { type Column, TableHead } from './table.tsx';

interface FeedTableProps<Row> {
  readonly label: string;
  readonly feed: Feed<Row>;
  readonly columns: readonly Column<Row>[];
  /** The link of a row. */
  readonly linkTo: (row: Row) => string;
  /** The row whose panel is open. */
  readonly current?: string | undefined;
  readonly tools?: ComponentChildren;
  readonly empty: ComponentChildren;
}

/** A live list: a page of rows and a button for more, or why there are none. */
export function FeedTable<Row>(props: FeedTableProps<Row>) {
  const { label, feed, columns, linkTo, current, tools, empty } = props;
  const rows = feed.rows.value;
  const total = feed.total.value;
  const failed = feed.error.value !== undefined;
  const body = useRef<HTMLTableSectionElement>(null);
  const last = useRef(current);
  useLayoutEffect(() => {
    const closed = current === undefined ? last.current : undefined;
    last.current = current;
    const at = closed === undefined ? -1 : rows.findIndex((row) => feed.key(row) === closed);
    body.current?.rows[at]?.querySelector<HTMLElement>('.row-link')?.focus();
  });
  return (
    <div class="table-card">
      {tools && <div class="table-tools">{tools}</div>}
      {failed && (
        <div class="empty">
          <Problem error={feed.error.value} />
        </div>
      )}
      {rows.length > 0 && (
        <div class="table-scroll feed">
          <table aria-label={label}>
            <TableHead columns={columns} />
            <tbody ref={body}>
              {rows.map((row) => (
                <TableRow
                  key={feed.key(row)}
                  row={row}
                  columns={columns}
                  link={linkTo(row)}
                  current={feed.key(row) === current}
                />
              ))}
            </tbody>
          </table>
          {!feed.complete.value && !failed && (
            <button type="button" class="show-more" onClick={() => void feed.more()}>
              Show {count(Math.max(1, Math.min(PAGE_ROWS, total - rows.length)))} more
            </button>
          )}
        </div>
      )}
      {rows.length === 0 &&
        !failed &&
        (feed.settled.value ? empty : <p class="empty muted">Loading…</p>)}
      {rows.length > 0 && (
        <div class="table-foot" role="status">
          {count(total)} {total === 1 ? 'row' : 'rows'}
        </div>
      )}
    </div>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly link: string;
  readonly current: boolean;
}

function TableRow<Row>({ row, columns, link, current }: TableRowProps<Row>) {
  return (
    <tr aria-current={current ? 'true' : undefined} onClick={(event) => openRow(event, link)}>
      {columns.map(({ title, class: name, link: linked, render }) => (
        <td key={title} class={name}>
          {linked ? (
            <a class="row-link" href={link}>
              {render(row)}
            </a>
          ) : (
            render(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** Makes the whole row act as a link, except for links and buttons inside it and while text is selected. */
function openRow(event: MouseEvent, link: string): void {
  if ((event.target as Element).closest('a, button')) return;
  if (String(getSelection() ?? '') !== '') return;
  if (event.metaKey || event.ctrlKey) open(link, '_blank');
  else location.hash = link;
}
