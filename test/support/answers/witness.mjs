const KEY = Symbol.for('contentgen.mock.witness');
const decoder = new TextDecoder();
const isText = (headers) => /json|event-stream/.test(headers['content-type'] ?? '');

/** The same stream, each chunk noted as it passes; it asks its source for no more than it is asked for itself. */
function noted(body, note) {
  const reader = body.getReader();
  const text = new TextDecoder();
  let canceled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        // Whoever cancels ends the read that is waiting, too.
        if (canceled) return;
        if (done) {
          note({ end: true });
          controller.close();
          return;
        }
        note({ chunk: text.decode(value, { stream: true }) });
        controller.enqueue(value);
      },
      cancel(reason) {
        canceled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Lets `write` have a record of every answer that the mocks of this process give from now on: its head at once, with
 * the body if that is whole, and each chunk of a stream when it passes. Nothing of an answer is held back or changed.
 */
export function installWitness(write) {
  if (globalThis[KEY]) return;
  let last = 0;
  globalThis[KEY] = (request, reply, { operation, effect }) => {
    if (reply.broken) return reply;
    last += 1;
    const id = last;
    const { status, headers, body } = reply;
    const { pathname: path } = new URL(request.url);
    const head = { id, method: request.method, path, operation, effect, status, headers };
    if (body instanceof ReadableStream) {
      write({ ...head, stream: true });
      return { ...reply, body: noted(body, (more) => write({ id, ...more })) };
    }
    write({
      ...head,
      body: body === null ? '' : isText(headers) ? decoder.decode(body) : undefined,
    });
    return reply;
  };
}
