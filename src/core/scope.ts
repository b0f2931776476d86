import type { Failure } from './failure.ts';
import { monotonicNow } from './runtime.ts';
import { after } from './wait.ts';

/**
 * What bounds a whole logical call: the caller's signal and the deadline. Whatever is in flight sets `onEnd` and is
 * told at once. `close()` leaves no listener and no timer behind.
 */
export class CallScope {
  /** Why the call is over, once it is. */
  ended: Failure | undefined;
  onEnd: ((failure: Failure) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #endsAt: number;
  readonly #cancelTimer: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined, deadline: number) {
    this.#signal = signal;
    this.#endsAt = monotonicNow() + deadline;
    if (signal?.aborted) {
      this.#abort();
      return;
    }
    signal?.addEventListener('abort', this.#abort);
    this.#cancelTimer = after(deadline, () => this.#end({ code: 'deadline_exceeded' }));
  }

  /** Milliseconds before the deadline. */
  remaining(): number {
    return this.#endsAt - monotonicNow();
  }

  /** Waits; resolves early when the scope ends. */
  sleep(ms: number): Promise<void> {
    if (this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        this.onEnd = undefined;
        resolve();
      };
      const cancel = after(ms, finish);
      this.onEnd = finish;
    });
  }

  close(): void {
    this.onEnd = undefined;
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#cancelTimer?.();
  }

  readonly #abort = (): void => this.#end({ code: 'aborted', cause: this.#signal?.reason });

  #end(failure: Failure): void {
    if (this.ended) return;
    this.ended = failure;
    const { onEnd } = this;
    this.close();
    onEnd?.(failure);
  }
}
