import { isContentGenError } from '../errors.ts';
import type { CallEnd } from '../options.ts';
import { callStart } from './call-start.ts';
import { writeLog } from './log.ts';
import type { Call } from './request.ts';
import { type CallResult, send } from './send.ts';

/** Sends a call, and reports its start and end to the middleware that has an `onCall`. */
export async function sendObserved(call: Call): Promise<CallResult> {
  const listeners = startListeners(call);
  if (listeners.length === 0) return send(call);
  const report = (end: CallEnd) => {
    // Emptied: the end of a stream can be reported by whoever closes it first.
    for (const listener of listeners.splice(0)) guard(call, () => listener(end));
  };
  try {
    const result = await send(call);
    const { response, body, attempts } = result;
    if (!result.stream) report({ response, body, attempts });
    return {
      ...result,
      end: (outcome) => {
        // A stream that breaks is one more failed attempt.
        const failed = attemptsOf(outcome.error);
        const known = failed.length > attempts.length ? failed : attempts;
        report({ response, ...outcome, attempts: known });
      },
    };
  } catch (error) {
    report({ error, attempts: attemptsOf(error) });
    throw error;
  }
}

const attemptsOf = (error: unknown) => (isContentGenError(error) ? error.attempts : []);

function startListeners(call: Call): ((end: CallEnd) => void)[] {
  return call.options.middleware.flatMap(({ onCall }) => {
    const listener = onCall && guard(call, () => onCall(callStart(call)));
    return typeof listener === 'function' ? [listener] : [];
  });
}

/** Runs a hook. An error in it never fails the call. */
function guard<T>({ options }: Call, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    const facts = { error: (error as Error | undefined)?.name };
    void writeLog(options, 'warn', 'onCall threw an error; the call continues', facts);
    return undefined;
  }
}
