export interface Window {
  /** Index of the first row that is drawn. */
  readonly first: number;
  /** Index after the last one. */
  readonly last: number;
  /** Pixels above and below the drawn rows. */
  readonly before: number;
  readonly after: number;
}

/** Which of `total` rows of equal height to draw: the visible ones and `overscan` more on each side. */
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
