/** Waits between the last byte and the break; the signal aborts when the caller disconnects. */
type Hold = (signal: AbortSignal) => Promise<void>;

/** Sends the first `limit` bytes of a body; then, after `hold`, the connection breaks. A shorter body arrives complete. */
export function cutStream(
  body: Uint8Array | ReadableStream<Uint8Array>,
  limit: number,
  hold: Hold,
): ReadableStream<Uint8Array> {
  const reader = (body instanceof Uint8Array ? streamOf(body) : body).getReader();
  const gone = new AbortController();
  let left = limit;
  let started = false;
  return new ReadableStream(
    {
      async pull(controller) {
        if (left > 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          controller.enqueue(value.subarray(0, left));
          left -= Math.min(left, value.length);
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
