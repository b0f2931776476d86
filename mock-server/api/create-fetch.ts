import { onAbort } from '../domain/listeners.ts';
import type { MakeResponse } from './reply.ts';

type Handle = (request: Request, make?: MakeResponse) => Promise<Response>;

// Node does not abort the signal of a garbage-collected request, and a waiting caller might hold only the signal.
const awaited = new Set<Request>();

/**
 * Handles a request the way `fetch` does for a caller who can abort it: the call rejects with the signal's reason, and a
 * body that is still streaming errors with it.
 */
export async function handleAbortably(request: Request, handle: Handle): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  let stopListening = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stopListening = onAbort(signal, () => reject(signal.reason));
  });
  const make: MakeResponse = (body, init) =>
    new Response(body instanceof ReadableStream ? abortableStream(body, request) : body, init);
  try {
    return await Promise.race([handle(request, make), aborted]);
  } finally {
    stopListening();
  }
}

/** `handle` with the interface of `fetch`: if there is no response, it rejects, as `fetch` does when the network fails. */
export function createFetch(handle: Handle, isClosed: () => boolean): typeof fetch {
  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const response = await handleAbortably(request, handle);
    if (response.type === 'error') throw fetchError(isClosed());
    return response;
  };
}

function fetchError(closed: boolean): TypeError {
  if (!closed) return new TypeError('Failed to fetch: a fault dropped the connection.');
  const error = new TypeError('Failed to fetch: the mock server was closed.');
  return Object.assign(error, { code: 'mock_closed' });
}

/** The same stream until the request's signal aborts; then it errors and its source is canceled. */
function abortableStream(
  source: ReadableStream<Uint8Array>,
  request: Request,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  let stopListening = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stopListening = onAbort(request.signal, () => {
          controller.error(request.signal.reason);
          reader.cancel(request.signal.reason).catch(() => {});
        });
      },
      async pull(controller) {
        awaited.add(request);
        try {
          const next = await reader.read();
          if (request.signal.aborted) return;
          if (!next.done) return controller.enqueue(next.value);
          stopListening();
          controller.close();
        } catch (error) {
          stopListening();
          controller.error(error);
        } finally {
          awaited.delete(request);
        }
      },
      cancel(reason) {
        stopListening();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
