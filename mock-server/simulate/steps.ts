import type { Choices } from './choices.ts';
import type { Life } from './life.ts';

export interface Step {
  /** The instance that does it. If that has ended, the step is skipped. */
  readonly life?: Life | undefined;
  readonly what: string;
  /** Nothing else happens until a promise that it returns is settled. */
  run(): unknown;
}

interface Timed {
  readonly at: number;
  readonly order: number;
  readonly step: Step;
}

export class Steps {
  readonly #ready: Step[] = [];
  readonly #timed: Timed[] = [];
  readonly #now: () => number;
  readonly #choices: Choices;
  #order = 0;

  constructor(now: () => number, choices: Choices) {
    this.#now = now;
    this.#choices = choices;
  }

  add(step: Step): void {
    this.#ready.push(step);
  }

  /** Returns a function that cancels it. */
  at(time: number, step: Step): () => void {
    this.#order += 1;
    const timed = { at: Math.max(time, this.#now()), order: this.#order, step };
    let index = this.#timed.length;
    while (index > 0 && (this.#timed[index - 1] as Timed).at > timed.at) index -= 1;
    this.#timed.splice(index, 0, timed);
    return () => {
      const found = this.#timed.indexOf(timed);
      if (found >= 0) this.#timed.splice(found, 1);
    };
  }

  /** Takes the next step of this moment, in a chosen order; undefined when none is left. */
  take(): Step | undefined {
    this.#collectDue();
    if (this.#ready.length === 0) return undefined;
    const index = this.#choices.among('order', this.#ready.length);
    const [step] = this.#ready.splice(index, 1);
    return step;
  }

  hasReady(): boolean {
    this.#collectDue();
    return this.#ready.length > 0;
  }

  nextAt(): number | undefined {
    return this.#timed[0]?.at;
  }

  times(): number[] {
    return this.#timed.map(({ at }) => at);
  }

  pending(): string[] {
    return [...this.#ready, ...this.#timed.map(({ step }) => step)].map(({ what }) => what);
  }

  #collectDue(): void {
    const now = this.#now();
    for (let [first] = this.#timed; first && first.at <= now; [first] = this.#timed) {
      this.#timed.shift();
      const { step } = first;
      const { life } = step;
      if (life && life.pausedUntil > now) this.at(life.pausedUntil, step);
      else this.#ready.push(step);
    }
  }
}
