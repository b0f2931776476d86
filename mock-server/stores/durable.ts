import { piecesOf, streamOf } from '../api/pieces.ts';
import type { MakeResponse } from '../api/reply.ts';
import type { Store, Transport } from '../domain/ports.ts';

/** Commits what has been written so far. Resolves to whether that succeeded. */
export type Save = () => Promise<boolean>;

/**
 * Every call that waits for a failing commit is rejected, and its response says so. `onError` is therefore called only
 * once, and again for a different reason or after saving has worked in between.
 */
export function createSave(store: Store, onError: (error: unknown) => void): Save {
  let reported: string | undefined;
  return async () => {
    try {
      await store.flushed?.();
      reported = undefined;
      return true;
    } catch (error) {
      const reason = String(error);
      if (reason !== reported) onError(error);
      reported = reason;
      return false;
    }
  };
}

type Handler<Result> = (request: Request, make?: MakeResponse) => Promise<Result>;

/**
 * Responds after the commit, so that nothing a caller has seen is ever lost. Resolves to undefined if the commit fails,
 * unless the call only reads: no other process writes to the store, so its memory is never outdated. Each chunk of an event stream waits for its own commit.
 */
export function durableHandler(
  store: Store,
  save: Save,
  handler: Handler<Response>,
): Handler<Response | undefined> {
  if (!store.flushed) return handler;
  return async (request, make) => {
    const response = await handler(request, make);
    if (!(await save()) && !isRead(request)) return undefined;
    if (!response.body || !isEventStream(response)) return response;
    return new Response(committed(response.body, save), response);
  };
}

/** Passes each chunk on after the commit of what it says. */
function committed(body: ReadableStream<Uint8Array>, save: Save): ReadableStream<Uint8Array> {
  const pieces = piecesOf(body);
  return streamOf({
    ...pieces,
    async read() {
      const piece = await pieces.read();
      if (await save()) return piece;
      pieces.cancel();
      throw new Error('The server failed to store its state.');
    },
  });
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/**
 * Sends a message only after it is committed; otherwise, a process killed in between would resend it under another id.
 * If the commit fails, the attempt fails too and is retried.
 */
export function durableTransport(store: Store, save: Save, transport: Transport): Transport {
  if (!store.flushed) return transport;
  return async (request, context) => {
    if (await save()) return transport(request, context);
    const reason = 'The server failed to store its state before sending.';
    return { error: 'connection', reason };
  };
}
