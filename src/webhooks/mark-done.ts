import { withinDeadline } from './store-deadline.ts';
import type { Work } from './work.ts';

/** Up to four tries in 2.1 s before the response: most outages of a store are over by then. */
const waitsMs = [100, 400, 1600];

/**
 * Writes the done mark. Resolves when it is written, or when the response can wait no longer: after four failures, or
 * when `storeTimeoutMs` has passed. Then the tries go on until the lease has expired, because until then no other
 * attempt can run the callback again. Never throws: an error response would make the sender repeat the effect.
 */
export async function markDone(work: Work, attemptId: string): Promise<void> {
  const { dedupe, key, event, log, storeTimeoutMs } = work;
  const write = async () =>
    withinDeadline(storeTimeoutMs, async () => dedupe.complete(key, attemptId));
  const late = new AbortController();
  try {
    await withinDeadline(storeTimeoutMs, () => retry(write, late.signal));
  } catch (error) {
    late.abort();
    log(`Failed to mark webhook ${event.id} as done in the dedupe store; still trying`, error);
    void retryInBackground(write, dedupe.leaseMs);
  }
}

async function retry(write: () => Promise<void>, late: AbortSignal): Promise<void> {
  for (const waitMs of waitsMs) {
    try {
      return await write();
    } catch {
      if (!late.aborted) await sleep(waitMs);
    }
    if (late.aborted) return;
  }
  return write();
}

/** Tries every 5 s, or more often under a short lease, until the lease has expired. Does not keep the process alive. */
export async function retryInBackground(
  write: () => Promise<void>,
  leaseMs: number,
): Promise<void> {
  const end = performance.now() + leaseMs;
  const waitMs = Math.min(5000, leaseMs / 8);
  while (performance.now() < end) {
    await sleep(waitMs, (timer) => timer.unref?.());
    try {
      return await write();
    } catch {}
  }
}

function sleep(ms: number, started?: (timer: { unref?(): void }) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, ms);
    started?.(Object(timer));
  });
}
