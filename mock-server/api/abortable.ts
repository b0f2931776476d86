import type { MakeResponse } from './reply.ts';

// Node forgets to abort the signal of a request that was collected, and nothing else holds one whose caller waits.
const awaited = new Set<Request>();

type Handle = (request: Request, make?: MakeResponse) => Promise<Response>;

/**
 * Answers as `fetch` does towards a caller who may abort: the call rejects with the signal's reason, and a body that is
 * still coming breaks off with it.
 */
export async function answerAbortably(request: Request, handle: Handle): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const make: MakeResponse = (body, init) =>
    new Response(body instanceof ReadableStream ? breakOff(body, request) : body, init);
  try {
    return await Promise.race([handle(request, make), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The same stream, until the request's signal aborts: then it errors and its source is canceled. */
function breakOff(
  source: ReadableStream<Uint8Array>,
  request: Request,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let onAbort = () => {};
  const done = () => request.signal.removeEventListener('abort', onAbort);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          controller.error(request.signal.reason);
          reader.cancel(request.signal.reason).catch(() => {});
        };
        if (request.signal.aborted) onAbort();
        else request.signal.addEventListener('abort', onAbort, { once: true });
      },
      async pull(controller) {
        awaited.add(request);
        try {
          const next = await reader.read();
          if (request.signal.aborted) return;
          if (!next.done) return controller.enqueue(next.value);
          done();
          controller.close();
        } catch (error) {
          done();
          controller.error(error);
        } finally {
          awaited.delete(request);
        }
      },
      cancel(reason) {
        done();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
