import { internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import { eventView, requestView } from '../control/logs/logs.ts';
import { realTimers } from '../real-timers.ts';

const PING_MS = 15_000;
/** A reader with more than this waiting for it is disconnected; it connects again and reads the lists. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;

export interface LogStreams {
  open(): Response;
  /** Ends every stream: after a reset, or when the server closes. */
  endAll(): void;
}

/**
 * What happens on a mock, as server-sent events: `request`, `delivery` and `event`, each with the row of its list. Each
 * is redacted and encoded once, and its bytes wait for all readers together.
 */
export function logStreams(mock: MockServer): LogStreams {
  const internals = internalsOf(mock);
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encode = (event: string, data: object) =>
    new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  let unsubscribe = () => {};

  function send(event: string, data: object): void {
    const bytes = encode(event, data);
    for (const reader of readers) {
      reader.enqueue(bytes);
      if ((reader.desiredSize ?? 0) < -MAX_WAITING_BYTES) end(reader);
    }
  }

  function subscribe(): () => void {
    const stops = [
      internals.onEvent((event) => {
        const isDelivery = event.type.startsWith('delivery.');
        const delivery = isDelivery ? internals.delivery(event.subject ?? '') : undefined;
        if (delivery) send('delivery', delivery);
        send('event', eventView(event));
      }),
      internals.onRequest((entry) => send('request', requestView(entry))),
    ];
    // EventSource hides comments from its users, so a comment could not show them that the server still runs.
    const ping = realTimers.setInterval(() => send('ping', {}), PING_MS);
    ping.unref?.();
    return () => {
      realTimers.clearInterval(ping);
      for (const stop of stops) stop();
    };
  }

  function leave(reader: ReadableStreamDefaultController<Uint8Array>): void {
    if (readers.delete(reader) && readers.size === 0) unsubscribe();
  }

  function end(reader: ReadableStreamDefaultController<Uint8Array>): void {
    leave(reader);
    reader.close();
  }

  return {
    open() {
      let leaveNow = () => {};
      const source: UnderlyingDefaultSource<Uint8Array> = {
        start(reader) {
          if (readers.size === 0) unsubscribe = subscribe();
          readers.add(reader);
          reader.enqueue(encode('hello', { now: internals.page.server().now }));
          leaveNow = () => leave(reader);
        },
        cancel: () => leaveNow(),
      };
      const body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: 0 }));
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
      return new Response(body, { headers });
    },
    endAll() {
      for (const reader of [...readers]) end(reader);
    },
  };
}
