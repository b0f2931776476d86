/** Timers fire at once when asked for more than 24.8 days. */
const longestMs = 2 ** 31 - 1;

/**
 * Waits for a call of the dedupe store, but not longer than `ms`. The call itself cannot be cancelled: it can still
 * take effect later.
 */
export async function withinDeadline<T>(ms: number, call: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const expire = () => reject(new Error(`The dedupe store did not respond within ${ms} ms.`));
    timer = setTimeout(expire, Math.min(ms, longestMs));
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}
