/** A stream and a copy that follows its reader. Unlike with `tee`, the caller who leaves ends both. */
export function copied(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  let copy: ReadableStreamDefaultController<Uint8Array> | undefined;
  const listened = new ReadableStream<Uint8Array>({
    start(controller) {
      copy = controller;
    },
    cancel() {
      copy = undefined;
    },
  });
  const sent = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) {
            controller.close();
            copy?.close();
          } else {
            controller.enqueue(value);
            copy?.enqueue(value);
          }
        } catch (error) {
          copy?.error(error);
          throw error;
        }
      },
      cancel(reason) {
        copy?.close();
        copy = undefined;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return [sent, listened] as const;
}
