import { internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { realTimers } from '../real-timers.ts';

const PING_MS = 15_000;
/** A reader with more than this waiting for it is disconnected; it connects again and reads the lists. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

export interface LogStreams {
  open(): Response;
  /** Ends every stream: after a reset, or when the server closes. */
  endAll(): void;
}

/** What happens on a mock, as server-sent events: `request`, `delivery` and `event`, each with the row of its list. */
export function logStreams(mock: MockServer): LogStreams {
  const internals = internalsOf(mock);
  const open = new Set<() => void>();

  function start(controller: ReadableStreamDefaultController<Uint8Array>): () => void {
    const encoder = new TextEncoder();
    function send(event: string, data: object): void {
      if (!open.has(end)) return;
      controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      if ((controller.desiredSize ?? 0) < -MAX_WAITING_BYTES) end();
    }
    const unsubscribe = [
      internals.onEvent((event) => {
        const isDelivery = event.type.startsWith('delivery.');
        const delivery = isDelivery ? internals.delivery(event.subject ?? '') : undefined;
        if (delivery) send('delivery', delivery);
        send('event', event);
      }),
      internals.onRequest((entry) => send('request', entry)),
    ];
    // EventSource hides comments from its users, so a comment could not show them that the server still runs.
    const ping = realTimers.setInterval(() => send('ping', {}), PING_MS);
    ping.unref?.();
    function stop(): void {
      open.delete(end);
      realTimers.clearInterval(ping);
      for (const remove of unsubscribe) remove();
    }
    function end(): void {
      stop();
      controller.close();
    }
    open.add(end);
    send('hello', { now: internals.page.server().now });
    return stop;
  }

  return {
    open() {
      let stop = () => {};
      const source: UnderlyingDefaultSource<Uint8Array> = {
        start(controller) {
          stop = start(controller);
        },
        cancel: () => stop(),
      };
      const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 0 }));
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
      return new Response(body, { headers });
    },
    endAll() {
      for (const end of [...open]) end();
    },
  };
}
