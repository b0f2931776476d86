/** How a connection breaks: it is reset, or it falls silent and never says that it is dead. */
export type Break = 'is reset' | 'falls silent';

/** The first `limit` bytes of a body; then it breaks. */
export function cutBody(
  body: ReadableStream<Uint8Array>,
  limit: number,
  how: Break = 'is reset',
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = limit;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left > 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          controller.enqueue(value.subarray(0, left));
          left -= value.length;
          return;
        }
        void reader.cancel();
        if (how === 'falls silent') return new Promise(() => {});
        // Bytes and break would otherwise arrive as one, and fetch would drop the bytes.
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.error(new TypeError('The connection broke.'));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
