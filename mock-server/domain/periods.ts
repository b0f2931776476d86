/** A calendar month in UTC. */
export interface Period {
  readonly start: number;
  /** The first instant of the next month. */
  readonly end: number;
}

export function periodOf(at: number): Period {
  const day = new Date(at);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

/** RFC 3339 in UTC with milliseconds. */
export function timestamp(at: number): string {
  return new Date(at).toISOString();
}
