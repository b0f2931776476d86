/** Waits between the last byte and the break; the signal aborts when the caller disconnects. */
type Hold = (signal: AbortSignal) => Promise<void>;

/** How much of a body is sent. */
export interface Limit {
  /** The part of the next bytes that is sent. */
  take(bytes: Uint8Array): Uint8Array;
  readonly isReached: boolean;
}

export function limitBytes(left: number): Limit {
  return {
    take(bytes) {
      const taken = bytes.subarray(0, left);
      left -= taken.length;
      return taken;
    },
    get isReached() {
      return left <= 0;
    },
  };
}

const LINE_FEED = 10;

/** Counts server-sent events: each ends with an empty line. */
export function limitEvents(left: number): Limit {
  return {
    take(bytes) {
      for (let at = 1; at < bytes.length; at += 1) {
        if (bytes[at] !== LINE_FEED || bytes[at - 1] !== LINE_FEED) continue;
        left -= 1;
        if (left <= 0) return bytes.subarray(0, at + 1);
      }
      return bytes;
    },
    get isReached() {
      return left <= 0;
    },
  };
}

/** Sends a body up to a limit; then, after `hold`, the connection breaks. A body within the limit arrives complete. */
export function cutStream(
  body: Uint8Array | ReadableStream<Uint8Array>,
  limit: Limit,
  hold: Hold,
): ReadableStream<Uint8Array> {
  const reader = (body instanceof Uint8Array ? streamOf(body) : body).getReader();
  const gone = new AbortController();
  let started = false;
  return new ReadableStream(
    {
      async pull(controller) {
        if (!limit.isReached) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          controller.enqueue(limit.take(value));
          started = true;
          return;
        }
        if (!started) {
          started = true;
          // Some adapters send status and headers only together with the first bytes.
          controller.enqueue(new Uint8Array(0));
          return;
        }
        await hold(gone.signal).catch(() => {});
        void reader.cancel().catch(() => {});
        controller.error(new TypeError('The connection broke.'));
      },
      cancel(reason) {
        gone.abort(reason);
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
