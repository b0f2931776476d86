const PING_MS = 15_000;
/** A reader that falls this many messages behind is disconnected. */
const MAX_WAITING = 10_000;

interface Fields {
  /** What `Last-Event-ID` names. */
  readonly id?: string;
  readonly event?: string;
}

export interface EventWriter {
  send(data: unknown, fields: Fields): void;
  /** Closes the stream. */
  end(): void;
}

/**
 * Responds with server-sent events. `subscribe` starts to write them and returns a function that stops it, which is
 * called once the stream has ended, at either end.
 */
export function streamEvents(subscribe: (writer: EventWriter) => () => void): Response {
  const encoder = new TextEncoder();
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let ended = false;
      const end = () => {
        if (ended) return;
        ended = true;
        stop();
        controller.close();
      };
      const send = (data: unknown, { id, event }: Fields) => {
        if (ended) return;
        const lines = [
          ...(id === undefined ? [] : [`id: ${id}`]),
          ...(event === undefined ? [] : [`event: ${event}`]),
          `data: ${JSON.stringify(data)}`,
        ];
        controller.enqueue(encoder.encode(`${lines.join('\n')}\n\n`));
        if ((controller.desiredSize ?? 0) < -MAX_WAITING) end();
      };
      const unsubscribe = subscribe({ send, end });
      // EventSource hides comments from its users, so a comment could not show them that the server still runs.
      const ping = setInterval(() => send({}, { event: 'ping' }), PING_MS);
      ping.unref?.();
      stop = () => {
        clearInterval(ping);
        unsubscribe();
      };
      if (ended) stop();
    },
    cancel: () => stop(),
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
}
