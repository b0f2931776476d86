import { type CallOptions, resolveCallOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import type { Caller } from './caller.ts';
import { toError } from './failure.ts';
import { parseRetryAfter } from './retry.ts';
import { CallScope } from './scope.ts';
import type { Answer } from './send.ts';
import { after } from './wait.ts';

const FIRST_MS = 500;
const CAP_MS = 10_000;

/** The pause before poll `n` + 1: 0.5 s growing to 10 s, ±20 %; `random` is in [0, 1). */
export function pollDelay(n: number, random: number): number {
  return Math.round(Math.min(CAP_MS, FIRST_MS * 1.5 ** (n - 1)) * (0.8 + 0.4 * random));
}

export interface PollInput<T> {
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly options: CallOptions | undefined;
  /** The result of an answer; `undefined` when it is too early. */
  readonly settled: (answer: Answer) => T | undefined;
  /** Another source of the result, told by the signal when it is no longer needed. */
  readonly push?: ((signal: AbortSignal) => Promise<T>) | undefined;
  readonly hint: string;
}

/** Asks until there is a result, or another source has it; the deadline bounds everything, the poll in flight too. */
export async function poll<T>(caller: Caller, input: PollInput<T>): Promise<T> {
  const { transport } = caller;
  const { signal, deadline } = resolveCallOptions(input.options, transport.options.limits);
  const scope = new CallScope(signal, deadline);
  const inner = new AbortController();
  scope.onEnd = () => inner.abort();
  let polls = 0;
  const ask = async (): Promise<T> => {
    for (;;) {
      polls += 1;
      const answer = await caller.open(
        input.operation,
        { ...input.options, signal: inner.signal, deadline: Number.POSITIVE_INFINITY },
        { path: input.path },
      );
      const result = input.settled(answer);
      if (result !== undefined) return result;
      const hint = parseRetryAfter(answer.response.headers.get('retry-after'), Date.now());
      await pause(hint || pollDelay(polls, Math.random()), inner.signal);
    }
  };
  try {
    if (scope.ended) throw scope.ended;
    return await Promise.race([ask(), ...(input.push ? [input.push(inner.signal)] : [])]);
  } catch (error) {
    if (!scope.ended) throw error;
    throw toError({ ...scope.ended, hint: input.hint }, { operation: input.operation });
  } finally {
    inner.abort();
    scope.close();
  }
}

/** Waits; rejects at once when the signal ends it. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
