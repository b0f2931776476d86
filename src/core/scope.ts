import type { ErrorCode } from '../errors.ts';
import type { Failure } from './failure.ts';
import { monotonicNow } from './runtime.ts';
import { after } from './wait.ts';

/**
 * What may be over before its time: a logical call, by its deadline or the caller's signal, or one attempt. Whatever is
 * in flight sets `onEnd` and is told at once. `close()` leaves no listener and no timer behind.
 */
export class Scope {
  /** Why it is over, once it is. */
  failure: Failure | undefined;
  onEnd: ((failure: Failure) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #endsAt: number;
  readonly #cancelTimer: () => void;

  /** Ends with `code` after `ms`. */
  constructor(ms: number, code: ErrorCode, signal?: AbortSignal) {
    this.#signal = signal;
    this.#endsAt = monotonicNow() + ms;
    this.#cancelTimer = after(ms, () => this.end({ code }));
    if (signal?.aborted) this.#abort();
    else signal?.addEventListener('abort', this.#abort);
  }

  /** Milliseconds before the end. */
  remaining(): number {
    return this.#endsAt - monotonicNow();
  }

  /** Waits; resolves early when it is over. */
  async sleep(ms: number): Promise<void> {
    if (this.failure) return;
    await new Promise<void>((resolve) => {
      const cancel = after(ms, resolve);
      this.onEnd = () => {
        cancel();
        resolve();
      };
    });
  }

  readonly end = (failure: Failure): void => {
    if (this.failure) return;
    this.failure = failure;
    this.close();
    this.onEnd?.(failure);
  };

  close(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#cancelTimer();
  }

  readonly #abort = (): void => this.end({ code: 'aborted', cause: this.#signal?.reason });
}
