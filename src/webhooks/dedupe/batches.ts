import { setTimer } from '../../platform/driver.ts';
import { withinDeadline } from '../process-once.ts';

/** With this many batches under way, calls wait for one to end, but for at most `longestWaitMs`. */
const atOnce = 2;
const longestWaitMs = 10;
const largest = 100;
/** A batch that takes longer hangs, and no longer counts as under way. */
const hangsAfterMs = 1000;

interface Waiting<Call, Result> {
  readonly call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Makes concurrent calls share one statement. The first call leaves at once; calls that come while two batches are
 * under way leave together. A batch that the database refuses because of what it holds is run call by call, so that
 * one bad key cannot fail the others.
 *
 * @param run - Resolves to one result per call, in order.
 */
export function createBatches<Call, Result>(
  run: (calls: readonly Call[]) => Promise<readonly Result[]>,
): (call: Call) => Promise<Result> {
  let queue: Waiting<Call, Result>[] = [];
  let underWay = 0;
  let isTimed = false;

  const send = async (batch: readonly Waiting<Call, Result>[]) => {
    try {
      const results = await run(batch.map(({ call }) => call));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && isRefused(error)) await Promise.all(batch.map((one) => send([one])));
      else for (const { reject } of batch) reject(error);
    }
  };
  const leave = async () => {
    const batch = queue.slice(0, largest);
    queue = queue.slice(largest);
    if (batch.length === 0) return;
    underWay += 1;
    await withinDeadline(hangsAfterMs, () => send(batch)).catch(() => {});
    underWay -= 1;
    void leave();
  };
  return (call) =>
    new Promise((resolve, reject) => {
      queue.push({ call, resolve, reject });
      if (underWay < atOnce) return void queueMicrotask(leave);
      if (isTimed) return;
      isTimed = true;
      setTimer(() => {
        isTimed = false;
        void leave();
      }, longestWaitMs);
    });
}

/** Data that PostgreSQL refuses (class 22) or that is too long for an index (class 54). */
function isRefused(error: unknown): boolean {
  return /^(22|54)...$/.test(String(Object(error).code));
}
