import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleWindow } from '../logic/window.ts';

export interface Column<Row> {
  readonly title: string;
  /** A CSS width; one column without it takes the rest. */
  readonly width?: string;
  readonly class?: string;
  readonly render: (row: Row) => ComponentChildren;
}

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The link in the first cell of a row. */
  readonly linkTo: (row: Row) => string;
  readonly current?: string | undefined;
  /** Called near the end of the list. */
  readonly onEnd?: () => void;
  /** Whether more rows can be loaded. */
  readonly open?: boolean;
}

const phone = matchMedia('(max-width: 860px)');

/**
 * Draws only the visible rows, so that 100 000 cost no more than 40. Arrow keys, Page Up and Down, Home and End move
 * between the rows' links; the list is one stop of the Tab key.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, rowKey, linkTo, current, onEnd, open } = props;
  const rowHeight = phone.matches ? 42 : 38;
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useHeight(scroller);
  const [scrollTop, setScrollTop] = useState(0);
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);

  const { first, last, before, after } = visibleWindow(rows.length, rowHeight, scrollTop, viewport);
  useEffect(() => {
    if (open && last >= rows.length - 30) onEnd?.();
  }, [open, last, rows.length, onEnd]);

  const at = Math.min(active, Math.max(0, rows.length - 1));
  const stop = at >= first && at < last ? at : first;
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-index="${at}"] .row-link`);
    if (!link) return;
    wantsFocus.current = false;
    link.focus({ preventScroll: true });
  });

  function move(to: number): void {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    wantsFocus.current = true;
    setActive(next);
    if (scroller.current) scrollToRow(scroller.current, next * rowHeight, rowHeight);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLElement) || !event.target.matches('.row-link')) return;
    const page = Math.max(1, Math.floor(viewport / rowHeight) - 2);
    const to = targetOf(event.key, at, page, rows.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only move between the links inside
    <div
      class="table-scroll virtual"
      ref={scroller}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <table aria-label={label} aria-rowcount={open ? -1 : rows.length + 1}>
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
                onFocus={setActive}
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

const headHeight = 34;

/** Scrolls until the row at `top` is visible below the table's head. */
function scrollToRow(element: HTMLElement, top: number, rowHeight: number): void {
  const bottom = top + rowHeight + headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight)
    element.scrollTop = bottom - element.clientHeight;
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

/** The row that a key leads to. */
function targetOf(key: string, at: number, page: number, last: number): number | undefined {
  if (key === 'ArrowDown') return at + 1;
  if (key === 'ArrowUp') return at - 1;
  if (key === 'PageDown') return at + page;
  if (key === 'PageUp') return at - page;
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly link: string;
  readonly current: boolean;
  /** Whether the Tab key stops at this row. */
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
    >
      {columns.map(({ title, class: name, render }, place) => (
        <td key={title} class={name}>
          {place === 0 ? (
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

/** A single cell: spanning columns that a narrow page hides would show them again. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without content takes no focus
    <tr class="spacer" aria-hidden="true">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}
