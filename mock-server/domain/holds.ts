import type { ProblemCode } from '../contract.ts';
import { onAbort } from './listeners.ts';

/** What a test holds: the next call of an operation, or the next attempt of a delivery. */
export interface HoldTarget {
  readonly kind: 'operation' | 'delivery';
  /** The operation's id, or the event. */
  readonly name: string;
  /** Only calls and deliveries of this organization. */
  readonly organization?: string | undefined;
}

/** How a held call, generation or delivery fails. */
export interface HoldFailure {
  /** The problem's code. @default 'unavailable', and 'generation_failed' for a generation */
  readonly code?: ProblemCode | undefined;
  /** The sentence that the caller sees. */
  readonly message?: string | undefined;
}

export type HoldStep =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'release' }
  | { readonly kind: 'fail'; readonly error: HoldFailure };

export type Holds = ReturnType<typeof createHolds>;

/** The holds of a server. Kept only in memory. */
export function createHolds() {
  const all = new Map<string, Hold>();
  const waiting = new Set<Hold>();
  const generations = new Map<string, Hold>();
  /** By organization, operation and idempotency key. */
  const calls = new Map<string, Hold>();
  let count = 0;

  return {
    add(target: HoldTarget): Hold {
      count += 1;
      const hold = createHold(`hold_${count}`, target);
      all.set(hold.id, hold);
      waiting.add(hold);
      return hold;
    },
    find: (id: string) => all.get(id),
    /**
     * Returns the oldest hold that matches and has not held anything yet; for a retry, which has the same idempotency key,
     * the one that failed the call.
     */
    take(
      kind: HoldTarget['kind'],
      name: string,
      organization: string,
      idempotencyKey?: string,
    ): Hold | undefined {
      if (waiting.size === 0 && calls.size === 0) return undefined;
      const call = idempotencyKey && `${organization} ${name} ${idempotencyKey}`;
      const earlier = call ? calls.get(call) : undefined;
      if (earlier?.hasFailed()) return earlier;
      const found = [...waiting].find(
        ({ target }) =>
          target.kind === kind &&
          target.name === name &&
          (target.organization ?? organization) === organization,
      );
      if (found) waiting.delete(found);
      if (found && call) calls.set(call, found);
      return found;
    },
    /** The text of this generation comes from the hold, which `detach` returns once. */
    attach: (generation: string, hold: Hold) => void generations.set(generation, hold),
    detach(generation: string): Hold | undefined {
      const hold = generations.get(generation);
      generations.delete(generation);
      return hold;
    },
    abandon(reason: Error): void {
      for (const hold of all.values()) hold.reject(reason);
      all.clear();
      waiting.clear();
      generations.clear();
      calls.clear();
    },
  };
}

export type Hold = ReturnType<typeof createHold>;

/** A hold. One side is the test's, the other the service's. */
function createHold(id: string, target: HoldTarget) {
  const steps: HoldStep[] = [];
  let begin = () => {};
  let reject: (reason: Error) => void = () => {};
  let wake = () => {};
  const started = new Promise<void>((resolve, onReject) => {
    begin = resolve;
    reject = onReject;
  });
  // Not every test waits for it.
  started.catch(() => {});

  /**
   * The next step, as soon as there is one; `resume` is called in the same turn. A release or a failure stays the next one.
   */
  async function next(signal: AbortSignal, resume = () => {}): Promise<HoldStep> {
    for (;;) {
      signal.throwIfAborted();
      const [first] = steps;
      if (first?.kind === 'text') steps.shift();
      if (first) {
        resume();
        return first;
      }
      await new Promise<void>((resolve) => {
        const stopListening = onAbort(signal, resolve);
        wake = () => {
          stopListening();
          resume();
          resolve();
        };
      });
    }
  }

  return {
    id,
    target,
    /** Resolves once something stands still; rejects if the state is replaced before. */
    started,
    /** Something stands still now. */
    begin,
    reject,
    /** Adds a step. Nothing follows a release or a failure. */
    say(step: HoldStep) {
      const last = steps.at(-1);
      if (last && last.kind !== 'text') return;
      steps.push(step);
      wake();
    },
    hasFailed: () => steps.at(-1)?.kind === 'fail',
    next,
  };
}
