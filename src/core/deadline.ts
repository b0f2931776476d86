import type { ErrorCode } from '../errors.ts';
import type { Failure } from './failure.ts';
import { after } from './wait.ts';

/**
 * What may be over before its time: a logical call, by its deadline or the caller's signal, or one attempt. Whatever is
 * in flight sets `onEnd` and is told at once.
 */
export interface Scope {
  /** Why it is over, once it is. */
  failure?: Failure;
  onEnd?: (failure: Failure) => void;
  /** Milliseconds before the end. */
  remaining(): number;
  /** Waits; resolves early when it is over. */
  sleep(ms: number): Promise<void>;
  readonly end: (failure: Failure) => void;
  /** Leaves no listener and no timer behind. */
  close(): void;
}

/** Ends with `code` after `ms`. */
export function createScope(ms: number, code: ErrorCode, signal?: AbortSignal): Scope {
  const endsAt = performance.now() + ms;
  const scope: Scope = {
    remaining: () => endsAt - performance.now(),
    sleep: async (ms) => {
      if (scope.failure) return;
      await new Promise<void>((resolve) => {
        const pause = createScope(ms, code);
        pause.onEnd = () => resolve();
        scope.onEnd = pause.end;
      });
    },
    end: (failure) => {
      if (scope.failure) return;
      scope.failure = failure;
      scope.close();
      scope.onEnd?.(failure);
    },
    close: () => {
      signal?.removeEventListener('abort', abort);
      cancelTimer();
    },
  };
  const abort = () => scope.end({ code: 'aborted', cause: signal?.reason });
  const cancelTimer = after(ms, () => scope.end({ code }));
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  return scope;
}
