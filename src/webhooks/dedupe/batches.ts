import { setTimer } from '../../platform/driver.ts';
import { withinDeadline } from '../store-deadline.ts';

/** With this many batches in flight, calls wait for one to end, but for at most `maxWaitMs`. */
const maxInFlight = 2;
const maxWaitMs = 10;
const maxBatchSize = 100;
/** A batch that takes longer is assumed to hang, and no longer counts as in flight. */
const hangsAfterMs = 1000;

interface Waiting<Call, Result> {
  readonly call: Call;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Makes concurrent calls share one statement. The first call is sent at once; calls that arrive while two batches are
 * in flight are sent together. A batch that the database rejects because of its data is run call by call, so that one
 * bad key cannot fail the others.
 *
 * @param run - Resolves to one result per call, in order.
 */
export function createBatches<Call, Result>(
  run: (calls: readonly Call[]) => Promise<readonly Result[]>,
): (call: Call) => Promise<Result> {
  let queue: Waiting<Call, Result>[] = [];
  let inFlight = 0;
  let isTimed = false;

  const send = async (batch: readonly Waiting<Call, Result>[]) => {
    try {
      const results = await run(batch.map(({ call }) => call));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && isDataError(error))
        await Promise.all(batch.map((one) => send([one])));
      else for (const { reject } of batch) reject(error);
    }
  };
  const sendNext = async () => {
    const batch = queue.slice(0, maxBatchSize);
    queue = queue.slice(maxBatchSize);
    if (batch.length === 0) return;
    inFlight += 1;
    await withinDeadline(hangsAfterMs, () => send(batch)).catch(() => {});
    inFlight -= 1;
    void sendNext();
  };
  return (call) =>
    new Promise((resolve, reject) => {
      queue.push({ call, resolve, reject });
      if (inFlight < maxInFlight) return void queueMicrotask(sendNext);
      if (isTimed) return;
      isTimed = true;
      setTimer(() => {
        isTimed = false;
        void sendNext();
      }, maxWaitMs);
    });
}

/** Data that PostgreSQL rejects (class 22) or that is too long for an index (class 54). */
function isDataError(error: unknown): boolean {
  return /^(22|54)...$/.test(String(Object(error).code));
}
