/** Waits between the last byte and the break; the signal aborts when the caller goes away. */
type Hold = (signal: AbortSignal) => Promise<void>;

/** The first `limit` bytes of a body; then, after `hold`, the connection breaks. */
export function cutStream(
  body: Uint8Array | ReadableStream<Uint8Array>,
  limit: number,
  hold: Hold,
): ReadableStream<Uint8Array> {
  const reader = (body instanceof Uint8Array ? streamOf(body) : body).getReader();
  const gone = new AbortController();
  let left = limit;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = left > 0 ? await reader.read() : { value: undefined };
        if (value) {
          controller.enqueue(value.subarray(0, left));
          left -= Math.min(left, value.length);
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
