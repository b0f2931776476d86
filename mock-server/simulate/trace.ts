import { platform } from '../platform/crypto.ts';

export interface TraceEntry {
  /** Milliseconds on the clock of the run. */
  readonly at: number;
  /** Who did it: an instance, the service, or `run`. */
  readonly who: string;
  readonly what: string;
  /** What was written or sent: part of the comparison of two runs, not of the timeline. */
  readonly detail?: string;
  /** Set if the timeline does not show it. */
  readonly minor?: true;
  /** Set if the simulation caused this failure. */
  readonly fault?: true;
}

export class Trace {
  readonly entries: TraceEntry[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(who: string, what: string, detail?: string): void {
    const at = this.#now();
    this.entries.push(detail === undefined ? { at, who, what } : { at, who, what, detail });
  }

  fault(who: string, what: string): void {
    this.entries.push({ at: this.#now(), who, what, fault: true });
  }

  minor(who: string, what: string, detail?: string): void {
    const at = this.#now();
    this.entries.push({ at, who, what, minor: true, ...(detail !== undefined && { detail }) });
  }

  /** SHA-256 over all steps, in hex. */
  hash(): string {
    return platform().digest(this.entries.map(lineOf).join('\n'));
  }
}

export function lineOf({ at, who, what, detail = '' }: TraceEntry): string {
  return `${at} ${who} ${what} ${detail}`;
}

/** The index of the first step that two runs do not share; undefined if they are the same. */
export function firstDifference(a: Trace, b: Trace): number | undefined {
  const length = Math.max(a.entries.length, b.entries.length);
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [a.entries[index], b.entries[index]];
    if (!one || !other || lineOf(one) !== lineOf(other)) return index;
  }
  return undefined;
}
