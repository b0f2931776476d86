import type { Store, Transport } from '../domain/ports.ts';

type Handler<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Promise<Response>;

/**
 * Responds after the commit, so that nothing a caller has seen is ever lost. Rejects if the commit fails, unless the
 * call only reads and the store allows that. Each chunk of an event stream waits for its own commit.
 */
export function durableHandler<Rest extends unknown[]>(
  store: Store,
  handler: Handler<Rest>,
): Handler<Rest> {
  if (!store.flushed) return handler;
  return async (request, ...rest) => {
    const response = await handler(request, ...rest);
    try {
      await store.flushed?.();
    } catch (error) {
      if (!store.readableUnsaved || !isRead(request)) throw error;
    }
    if (!response.body || !isEventStream(response)) return response;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          await store.flushed?.();
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(body, response);
  };
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/**
 * Sends after the commit: if the process were killed before it, the message would be resent under another id. If
 * the commit fails, so does the attempt, and it is retried.
 */
export function durableTransport(store: Store, transport: Transport): Transport {
  if (!store.flushed) return transport;
  return async (request, context) => {
    try {
      await store.flushed?.();
    } catch {
      return {
        error: 'connection',
        reason: 'The server failed to store its state before sending.',
      };
    }
    return transport(request, context);
  };
}
