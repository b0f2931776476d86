import { realTimers } from '../real-timers.ts';

const PING_MS = 15_000;
/** A reader with more than this waiting for it is disconnected; it reconnects from the last event that it has. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

interface Fields {
  /** What `Last-Event-ID` names. */
  readonly id?: string;
  readonly event?: string;
}

export interface EventWriter {
  send(data: object, fields: Fields): void;
  /** Closes the stream. */
  end(): void;
}

/** What was sent last, and its bytes: every reader of a log gets the same ones. */
let last: { readonly data: object; readonly bytes: Uint8Array<ArrayBuffer> } | undefined;

function encode(data: object, { id, event }: Fields): Uint8Array<ArrayBuffer> {
  if (last?.data === data) return last.bytes;
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ];
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n\n`);
  last = { data, bytes };
  return bytes;
}

/**
 * Responds with server-sent events. `subscribe` starts to write them and returns a function that stops it, which is
 * called once the stream has ended, at either end.
 */
export function streamEvents(subscribe: (writer: EventWriter) => () => void): Response {
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let ended = false;
        const end = () => {
          if (ended) return;
          ended = true;
          stop();
          controller.close();
        };
        const send = (data: object, fields: Fields) => {
          if (ended) return;
          controller.enqueue(encode(data, fields));
          if ((controller.desiredSize ?? 0) < -MAX_WAITING_BYTES) end();
        };
        const unsubscribe = subscribe({ send, end });
        // EventSource hides comments from its users, so a comment could not show them that the server still runs.
        const ping = realTimers.setInterval(() => send({}, { event: 'ping' }), PING_MS);
        ping.unref?.();
        stop = () => {
          realTimers.clearInterval(ping);
          unsubscribe();
        };
        if (ended) stop();
      },
      cancel: () => stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}
