import type { CallOptions } from '../options.ts';
import type { OperationId } from '../types.ts';
import type { Caller } from './caller.ts';
import type { Answer } from './send.ts';
import type { Kit } from './unpack.ts';

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
export async function poll<T>(kit: Kit, caller: Caller, input: PollInput<T>): Promise<T> {
  const { checkCallOptions, createScope, retryAfter, toError } = kit;
  const { signal, deadline = caller.options.deadline } = checkCallOptions(input.options);
  const scope = createScope(deadline, 'deadline_exceeded', signal);
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
      const hint = retryAfter(answer.response.headers.get('retry-after'), Date.now());
      const pause = createScope(Number.POSITIVE_INFINITY, 'aborted', inner.signal);
      await pause.sleep(hint || pollDelay(polls, Math.random()));
      pause.close();
      inner.signal.throwIfAborted();
    }
  };
  try {
    if (scope.failure) throw scope.failure;
    return await Promise.race([ask(), ...(input.push ? [input.push(inner.signal)] : [])]);
  } catch (error) {
    if (!scope.failure) throw error;
    throw toError({ ...scope.failure, hint: input.hint }, { operation: input.operation });
  } finally {
    inner.abort();
    scope.close();
  }
}
