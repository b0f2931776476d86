import type { LogEvent, RequestEntry } from './records.ts';

/** What happened. */
export interface Logs {
  readonly events: Log<LogEvent>;
  readonly requests: Log<RequestEntry>;
}

/** What every line has. */
interface Line {
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

const ID_DIGITS = 12;
/** Dropped lines are cut off the array in batches of at least this many. */
const CUT_FROM = 1024;

/**
 * The newest lines of a log, oldest first, in memory. A log is no state: it is in no file and no snapshot. Its lines are
 * kept as they came, and redacted when they are read.
 */
export class Log<Row extends Line> {
  readonly #prefix: string;
  readonly #weightOf: (row: Row) => number;
  #rows: (Row | undefined)[] = [];
  /** Index of the oldest line in `#rows`. */
  #start = 0;
  /** The number of the line at index 0. */
  #first = 1;
  #bytes = 0;

  /** @param weightOf - Roughly what a line takes in memory, in bytes. */
  constructor(prefix: string, weightOf: (row: Row) => number) {
    this.#prefix = prefix;
    this.#weightOf = weightOf;
  }

  /** What all lines weigh together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The oldest line. */
  get first(): Row | undefined {
    return this.#rows[this.#start];
  }

  /** The id of the line that is added next: `evt_000000000001`. Lines sort by it. */
  nextId(): string {
    return `${this.#prefix}_${String(this.#first + this.#rows.length).padStart(ID_DIGITS, '0')}`;
  }

  add(row: Row): void {
    this.#rows.push(row);
    this.#bytes += this.#weightOf(row);
  }

  count(): number {
    return this.#rows.length - this.#start;
  }

  get(id: string): Row | undefined {
    const row = this.#rows[this.#indexOf(id)];
    return row?.id === id ? row : undefined;
  }

  /** Oldest first, starting above the id `after`. */
  oldest({ limit, after }: { readonly limit: number; readonly after?: string }): Row[] {
    const from = after === undefined ? this.#start : this.#indexOf(after) + 1;
    const start = Math.max(this.#start, from);
    return this.#rows.slice(start, start + limit) as Row[];
  }

  /** Newest first, starting below the id `before`. */
  newest({ limit, before }: { readonly limit: number; readonly before?: string }): Row[] {
    const end = before === undefined ? this.#rows.length : this.#indexOf(before);
    const start = Math.max(this.#start, end - limit);
    return (this.#rows.slice(start, Math.max(start, end)) as Row[]).reverse();
  }

  dropOldest(): void {
    const { first } = this;
    if (!first) return;
    this.#bytes -= this.#weightOf(first);
    this.#rows[this.#start] = undefined;
    this.#start += 1;
    if (this.#start < CUT_FROM || this.#start * 2 < this.#rows.length) return;
    this.#rows = this.#rows.slice(this.#start);
    this.#first += this.#start;
    this.#start = 0;
  }

  /** Starts over with the first number. */
  clear(): void {
    this.#rows = [];
    this.#start = 0;
    this.#first = 1;
    this.#bytes = 0;
  }

  /** The position of a line, or where it would be. An id that does not belong to this log sorts first. */
  #indexOf(id: string): number {
    const number = Number(id.slice(this.#prefix.length + 1));
    return id.startsWith(`${this.#prefix}_`) && Number.isInteger(number)
      ? number - this.#first
      : -1;
  }
}
