import { readLimit } from '../core/read-limit.ts';
import { discard } from '../core/read-response.ts';
import { TimeoutError } from '../errors.ts';
import { checkOptions } from '../options/check-options.ts';
import { integerOrInfinity, milliseconds, type OptionRules } from '../options/rules.ts';
import type { Middleware } from '../options.ts';
import { clearTimer, elapsed, onAbort, setTimer } from '../platform/driver.ts';
import { createPace } from './pace.ts';

/** Options of `paced()`. */
export interface PacedOptions {
  /** How many requests can be without a response at once. @default 10 */
  readonly concurrency?: number | undefined;
  /**
   * Longest time in ms that one attempt waits for its turn; the `timeout` of the attempt counts too.
   * @default 60_000
   */
  readonly maxWait?: number | undefined;
}

const rules: OptionRules<PacedOptions> = {
  concurrency: integerOrInfinity(1),
  maxWait: milliseconds,
};

/** So often a waiter looks whether those before it are still there. */
const LONGEST_NAP_MS = 250;

/**
 * A middleware that sends no faster than the service allows: at most `concurrency` requests at once, nothing after a 429
 * until its `Retry-After`, and nothing once a `RateLimit`, `RateLimit-*` or `x-ratelimit-*` header says that none is left.
 * A 429 that can be waited for is repeated here, without counting against `maxRetries`. One `paced()` can serve several
 * clients; their calls then share its limits.
 * @throws TimeoutError `deadline_exceeded` of each call whose turn is more than `maxWait` away
 * @example const client = new ContentGen({ middleware: [paced({ concurrency: 10 })] });
 */
export function paced(options: PacedOptions = {}): Middleware {
  const { concurrency = 10, maxWait = 60_000 } = checkOptions(options, rules);
  const pace = createPace(concurrency);
  return async function paced(request, next) {
    const { signal } = request;
    const end = elapsed() + maxWait;
    for (let isRepeated = false; ; isRepeated = true) {
      const ticket = pace.join(isRepeated);
      try {
        for (let ms = pace.waitMs(ticket); ms > 0; ms = pace.waitMs(ticket)) {
          const left = end - elapsed();
          if (left <= 0 || pace.pauseMs() > left) throw tooLong(maxWait);
          await nap(Math.min(ms, left, LONGEST_NAP_MS), signal);
        }
      } finally {
        pace.leave(ticket);
      }
      const report = pace.start();
      const response = await next(request.clone()).catch((error) => {
        report();
        throw error;
      });
      const isRefused = response.status === 429 && !(await isFinal(response));
      report(readLimit(response.headers), isRefused);
      if (!isRefused || pace.pauseMs() > end - elapsed()) return response;
      discard(response.body);
    }
  };
}

const tooLong = (maxWait: number) =>
  new TimeoutError(
    `paced() had no turn for this call within maxWait (${maxWait} ms). Start fewer calls at once, or raise maxWait.`,
    { code: 'deadline_exceeded' },
  );

/** Whether waiting cannot help, as after the end of a quota. */
async function isFinal(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  return /"code"\s*:\s*"quota_exceeded"/.test(text);
}

// No promise of one call is settled by another: in Workers such a call hangs. Each waits on a timer of its own.
const nap = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimer(() => {
      stop();
      resolve();
    }, ms);
    const stop = onAbort(signal, () => {
      clearTimer(timer);
      reject(signal.reason);
    });
  });
