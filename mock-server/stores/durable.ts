import type { Store, Transport } from '../domain/ports.ts';

type Answer<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Promise<Response>;

/** A store that commits later than it writes. */
export interface DurableStore extends Store {
  /** Settles once all that was written so far is committed; undefined when nothing waits. */
  flushed?(): Promise<void> | undefined;
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** Answers after the commit, so that what a caller knows is never lost; rejects when the commit fails. */
export function durably<Rest extends unknown[]>(
  store: DurableStore,
  answer: Answer<Rest>,
): Answer<Rest> {
  if (!store.flushed) return answer;
  return async (request, ...rest) => {
    const response = await answer(request, ...rest);
    await store.flushed?.();
    if (!response.body || !isStream(response)) return response;
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

/**
 * Sends after the commit: a delivery that a kill forgot would be sent again under another id. What cannot be
 * committed is a failed attempt, and tried again.
 */
export function durableTransport(store: DurableStore, transport: Transport): Transport {
  if (!store.flushed) return transport;
  return async (request, context) => {
    try {
      await store.flushed?.();
    } catch {
      return { error: 'connection' };
    }
    return transport(request, context);
  };
}
