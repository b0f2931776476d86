import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { replace } from '../router.ts';

interface RowKeysOptions<Row> {
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly linkTo: (row: Row) => string;
  /** The row whose panel is open. */
  readonly current: string | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rowHeight: number;
  /** How many rows Page Up and Page Down skip. */
  readonly page: number;
}

interface RowKeys {
  /** Index of the row that Tab stops at. */
  readonly at: number;
  readonly setActive: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Moves the focus between the rows of a list: arrow keys, Page Up and Down, Home and End inside the list, j and k from
 * anywhere. An open panel follows; when it closes, its row gets the focus back.
 */
export function useRowKeys<Row>(options: RowKeysOptions<Row>): RowKeys {
  const { rows, rowKey, linkTo, current, scroller, rowHeight, page } = options;
  const [active, setActive] = useState(0);
  const at = Math.min(active, Math.max(0, rows.length - 1));
  const indexOf = (id: string | undefined) => rows.findIndex((row) => rowKey(row) === id);
  const focus = useFocus(scroller, rowHeight, setActive);

  function move(to: number): void {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    focus(next);
    const row = rows[next];
    if (current !== undefined && row) replace(linkTo(row));
  }

  useClosed(current, (id) => {
    const index = indexOf(id);
    if (index >= 0) focus(index);
  });
  useShortcut((key) => {
    const opened = indexOf(current);
    const from = opened >= 0 ? opened : at;
    const started = opened >= 0 || scroller.current?.contains(document.activeElement);
    move(started ? from + (key === 'j' ? 1 : -1) : from);
  });
  return {
    at,
    setActive,
    onKeyDown(event) {
      if (!(event.target instanceof HTMLElement) || !event.target.matches('.row-link')) return;
      const to = targetOf(event.key, at, page, rows.length - 1);
      if (to === undefined) return;
      event.preventDefault();
      move(to);
    },
  };
}

/** Returns a function that scrolls to a row and focuses its link as soon as it is rendered. */
function useFocus(
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  setActive: (index: number) => void,
): (index: number) => void {
  const wanted = useRef<number>(undefined);
  function tryNow(): void {
    if (wanted.current === undefined) return;
    const row = scroller.current?.querySelector(`[data-index="${wanted.current}"]`);
    const link = row?.querySelector<HTMLElement>('.row-link');
    if (!link) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  }
  useLayoutEffect(tryNow);
  return (index) => {
    wanted.current = index;
    setActive(index);
    if (scroller.current) scrollToRow(scroller.current, index * rowHeight, rowHeight);
    tryNow();
  };
}

/** Calls `closed` with the id of the row whose panel was closed. */
function useClosed(current: string | undefined, closed: (id: string) => void): void {
  const last = useRef(current);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = current;
    if (before !== undefined && current === undefined) closed(before);
  });
}

/** The key of a shortcut, or undefined if a field, a dialog or the browser handles the key. */
export function shortcutOf(event: KeyboardEvent): string | undefined {
  const { target, key, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  if (ctrlKey || metaKey || altKey || defaultPrevented) return undefined;
  if (target instanceof Element && target.closest('input, select, textarea, dialog')) {
    return undefined;
  }
  return document.querySelector('dialog[open]') ? undefined : key;
}

/** Calls `run` when j or k is pressed anywhere but in a field. */
function useShortcut(run: (key: 'j' | 'k') => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = shortcutOf(event);
      if (key !== 'j' && key !== 'k') return;
      event.preventDefault();
      latest.current(key);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

const headHeight = 34;

/** Scrolls until the row at `top` is visible below the table's head. */
function scrollToRow(element: HTMLElement, top: number, rowHeight: number): void {
  const bottom = top + rowHeight + headHeight;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (bottom > element.scrollTop + element.clientHeight)
    element.scrollTop = bottom - element.clientHeight;
}

/** The index that a key moves to. */
function targetOf(key: string, at: number, page: number, last: number): number | undefined {
  if (key === 'ArrowDown') return at + 1;
  if (key === 'ArrowUp') return at - 1;
  if (key === 'PageDown') return at + page;
  if (key === 'PageUp') return at - page;
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}
