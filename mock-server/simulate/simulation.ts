import { type Chaos, noChaos, type ResolvedChaos } from './chaos.ts';
import type { Choices } from './choices.ts';
import type { Life } from './life.ts';
import type { PaidRequest } from './paid-request.ts';
import type { Service } from './service.ts';
import { type Step, Steps } from './steps.ts';
import { Trace } from './trace.ts';

/** A fault in reports: its name in `chaos`; for a crash, also whether the call had its effect. */
export type InjectedFault = keyof Chaos | 'crash before' | 'crash after';

/** What all parts of one run share. */
export class Simulation {
  readonly service: Service;
  readonly choices: Choices;
  readonly steps: Steps;
  readonly trace: Trace;
  /** Milliseconds since 1970 on the service's clock. */
  readonly now: () => number;
  /** The instance whose code runs now; undefined for the service and for `run`. */
  current: Life | undefined;
  /** True while `check` or `always` runs: every call then happens at once and nothing goes wrong. */
  observing = false;
  /** Whether an instance has the SQL database to itself, so that nothing else can read it. */
  isSqlTaken = false;
  /** Steps that wait for a transaction to end. */
  readonly parked: Step[] = [];
  /** What the service is working on, possibly in another thread; nothing else happens until it is done. */
  readonly serving = new Set<Promise<unknown>>();
  changes = 0;
  changedAt: number;
  /** Since when only the application itself can have something left to do; undefined until then. */
  quietSince: number | undefined;
  /** When `run` ended; Infinity until then. */
  ranUntil = Infinity;
  readonly paid = new Map<string, PaidRequest>();
  readonly receiving = new Set<{ readonly what: string }>();
  readonly calls = new Set<object>();
  readonly faults = new Map<string, number>();
  failure: { readonly error: unknown } | undefined;

  readonly #chaos: ResolvedChaos;
  readonly #settleForMs: number;

  constructor(
    service: Service,
    options: { readonly chaos: ResolvedChaos; readonly settleForMs: number },
    choices: Choices,
  ) {
    this.service = service;
    this.#chaos = options.chaos;
    this.#settleForMs = options.settleForMs;
    this.choices = choices;
    this.now = service.clock.now;
    this.trace = new Trace(this.now);
    this.steps = new Steps(this.now, choices);
    this.changedAt = this.now();
  }

  /** What goes wrong now: nothing in the second half of the time to settle, in which an application recovers. */
  get chaos(): ResolvedChaos {
    const isCalm = this.now() > (this.quietSince ?? Infinity) + this.#settleForMs / 2;
    return isCalm ? noChaos : this.#chaos;
  }

  /** When the run ends: later while the application still works, but in twice the time to settle at the latest. */
  get endAt(): number {
    if (this.quietSince === undefined) return Infinity;
    const end = Math.max(
      this.quietSince + this.#settleForMs,
      this.changedAt + this.#settleForMs / 2,
    );
    return Math.min(end, this.quietSince + 2 * this.#settleForMs);
  }

  /** Whether the application was still working when its time was over. */
  get isCutShort(): boolean {
    return this.endAt < this.changedAt + this.#settleForMs / 2;
  }

  after(ms: number, step: Step): () => void {
    return this.steps.at(this.now() + ms, step);
  }

  serve<T>(work: Promise<T>): Promise<T> {
    const noted = work.finally(() => this.serving.delete(noted));
    this.serving.add(noted);
    return noted;
  }

  unpark(): void {
    for (const step of this.parked.splice(0)) this.steps.add(step);
  }

  /** Notes that a write changed a value, or that a request was sent that can change something. */
  changed(): void {
    this.changes += 1;
    this.changedAt = this.now();
  }

  injected(fault: InjectedFault, where: string): void {
    const key = `${fault} × ${where}`;
    this.faults.set(key, (this.faults.get(key) ?? 0) + 1);
  }

  fail(error: unknown): void {
    this.failure ??= { error };
  }
}
