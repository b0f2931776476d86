export interface Window {
  /** Index of the first rendered row. */
  readonly first: number;
  /** Index after the last rendered row. */
  readonly last: number;
  /** Height in pixels of the rows above and below the rendered ones. */
  readonly before: number;
  readonly after: number;
}

/** Which of `total` rows of equal height to render: the visible ones and `overscan` more on each side. */
export function visibleWindow(
  total: number,
  rowHeight: number,
  scrollTop: number,
  viewport: number,
  overscan = 8,
): Window {
  const top = Math.max(0, Math.min(scrollTop, total * rowHeight - viewport));
  const first = Math.max(0, Math.floor(top / rowHeight) - overscan);
  const last = Math.min(total, Math.ceil((top + viewport) / rowHeight) + overscan);
  return { first, last, before: first * rowHeight, after: (total - last) * rowHeight };
}
