/** The first `limit` bytes of a body; then the connection breaks: at once, or when `stall` aborts. */
export function cutStream(
  body: Uint8Array | ReadableStream<Uint8Array>,
  limit: number,
  stall?: AbortSignal,
): ReadableStream<Uint8Array> {
  const reader = (body instanceof Uint8Array ? streamOf(body) : body).getReader();
  let left = limit;
  let wake = () => {};
  const stalled = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', wake, { once: true });
    });
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = left > 0 ? await reader.read() : { value: undefined };
        if (value) {
          controller.enqueue(value.subarray(0, left));
          left -= Math.min(left, value.length);
          return;
        }
        if (stall) await stalled(stall);
        void reader.cancel().catch(() => {});
        controller.error(new TypeError('The connection broke.'));
      },
      cancel(reason) {
        stall?.removeEventListener('abort', wake);
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
