import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleWindow } from '../logic/window.ts';
import { useRowKeys } from './use-row-keys.ts';

export interface Column<Row> {
  readonly title: string;
  /** A CSS width. Columns without it share the remaining space. */
  readonly width?: string;
  readonly class?: string;
  /** Whether its cells link to their rows. Set it for one column that is always visible. */
  readonly link?: true;
  readonly render: (row: Row) => ComponentChildren;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** How many rows the server has, loaded or not. */
  readonly total: number;
  readonly rowKey: (row: Row) => string;
  /** The link of a row. */
  readonly linkTo: (row: Row) => string;
  readonly current?: string | undefined;
  /** Called near the end of the list. */
  readonly onEnd?: () => void;
  /** Whether more rows can be loaded. */
  readonly open?: boolean;
}

const phone = matchMedia('(max-width: 860px)');

/**
 * Renders only the visible rows, so 100 000 rows cost no more than 40. Arrow keys, j and k, Page Up and Down, Home and
 * End move between the rows' links, and an open panel follows. Tab stops at the list only once.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, total, rowKey, linkTo, current, onEnd, open } = props;
  const rowHeight = phone.matches ? 46 : 38;
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useHeight(scroller);
  const [scrollTop, setScrollTop] = useState(0);
  const { first, last, before, after } = visibleWindow(rows.length, rowHeight, scrollTop, viewport);
  useEffect(() => {
    if (open && last >= rows.length - 30) onEnd?.();
  }, [open, last, rows.length, onEnd]);

  const page = Math.max(1, Math.floor(viewport / rowHeight) - 2);
  const keys = useRowKeys({ rows, rowKey, linkTo, current, scroller, rowHeight, page });
  const { at } = keys;
  const stop = at >= first && at < last ? at : first;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move between the links inside
    <div
      class="table-scroll virtual"
      ref={scroller}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={keys.onKeyDown}
    >
      <table aria-label={label} aria-rowcount={total + 1}>
        <TableHead columns={columns} />
        <tbody>
          <Spacer height={before} />
          {rows.slice(first, last).map((row, offset) => {
            const index = first + offset;
            const key = rowKey(row);
            return (
              <TableRow
                key={key}
                row={row}
                index={index}
                columns={columns}
                link={linkTo(row)}
                current={key === current}
                reachable={index === stop}
                onFocus={keys.setActive}
              />
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  );
}

function TableHead<Row>({ columns }: Pick<VirtualTableProps<Row>, 'columns'>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ title, width, class: name }) => (
          <th key={title} class={name} scope="col" style={width ? { width } : {}}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The current height of an element. */
function useHeight(ref: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return height;
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly link: string;
  readonly current: boolean;
  /** Whether Tab stops at this row. */
  readonly reachable: boolean;
  readonly onFocus: (index: number) => void;
}

function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, index, columns, link, current, reachable, onFocus } = props;
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={current ? 'true' : undefined}
      onFocusIn={() => onFocus(index)}
      onClick={(event) => openRow(event, link)}
    >
      {columns.map(({ title, class: name, link: linked, render }) => (
        <td key={title} class={name}>
          {linked ? (
            <a class="row-link" href={link} tabIndex={reachable ? 0 : -1}>
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

/** A single cell, because spanning the columns that a narrow page hides would show them again. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content takes no focus
    <tr class="spacer" aria-hidden="true">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}
