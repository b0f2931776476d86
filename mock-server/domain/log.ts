import type { LogEvent, RequestEntry } from './records.ts';

export interface Logs {
  readonly events: Log<LogEvent>;
  readonly requests: Log<RequestEntry>;
}

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
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<(row: Row) => void>();
  #rows: (Row | undefined)[] = [];
  /** Index of the oldest line in `#rows`. */
  #start = 0;
  /** The number of the line at index 0. */
  #first = 1;
  #bytes = 0;

  /**
   * @param weightOf - Roughly what a line takes in memory, in bytes.
   * @param onError - Gets what a listener throws.
   */
  constructor(
    prefix: string,
    weightOf: (row: Row) => number,
    onError: (error: unknown) => void = () => {},
  ) {
    this.#prefix = prefix;
    this.#weightOf = weightOf;
    this.#onError = onError;
  }

  /** Calls `listener` with each line that is added. Returns a function that stops that. */
  listen(listener: (row: Row) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get bytes(): number {
    return this.#bytes;
  }

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
    for (const listener of this.#listeners) {
      try {
        listener(row);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  count(): number {
    return this.#rows.length - this.#start;
  }

  get(id: string): Row | undefined {
    const row = this.#rows[Number(id.slice(this.#prefix.length + 1)) - this.#first];
    return row?.id === id ? row : undefined;
  }

  /** Oldest first. */
  oldest(): Row[] {
    return this.#rows.slice(this.#start) as Row[];
  }

  /** Newest first. */
  newest({ limit }: { readonly limit: number }): Row[] {
    const start = Math.max(this.#start, this.#rows.length - limit);
    return (this.#rows.slice(start) as Row[]).reverse();
  }

  dropOldest(): Row | undefined {
    const { first } = this;
    if (!first) return undefined;
    this.#bytes -= this.#weightOf(first);
    this.#rows[this.#start] = undefined;
    this.#start += 1;
    if (this.#start < CUT_FROM || this.#start * 2 < this.#rows.length) return first;
    this.#rows = this.#rows.slice(this.#start);
    this.#first += this.#start;
    this.#start = 0;
    return first;
  }

  /** Starts over with the first number. */
  clear(): void {
    this.#rows = [];
    this.#start = 0;
    this.#first = 1;
    this.#bytes = 0;
  }
}
