import type { MockServer } from '../composition/mock-server.ts';
import { clockView } from './routes.ts';

const PING_MS = 15_000;
const REPLAY_ROWS = 1000;
/** A reader that falls this many messages behind is disconnected. It can resume with `Last-Event-ID`. */
const MAX_WAITING = 10_000;

export interface EventStreams {
  open(request: Request): Response;
  /** Ends every stream; readers that reconnect see a new instance id. */
  restart(): void;
  close(): void;
}

/** The event log and the request log as server-sent events. */
export function eventStreams(mock: MockServer): EventStreams {
  let instance = crypto.randomUUID();
  const open = new Set<() => void>();

  function endAll(): void {
    for (const end of [...open]) end();
  }

  function subscribe(lastEventId: string | null, send: (text: string) => void): () => void {
    // EventSource hides comments from its users, so a comment could not show them that the server still runs.
    const ping = setInterval(() => send(message({}, { event: 'ping' })), PING_MS);
    ping.unref?.();
    const subscriptions = [
      mock.onEvent((event) => send(message(event, { id: event.id }))),
      mock.onRequest((entry) => send(message(entry, { event: 'request' }))),
    ];
    send(message({ instance, now: clockView(mock).now }, { event: 'hello' }));
    replay(mock, lastEventId, send);
    return () => {
      clearInterval(ping);
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }

  function openBody(lastEventId: string | null): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    let unsubscribe = () => {};
    let end = () => {};
    return new ReadableStream<Uint8Array>({
      start(controller) {
        let ended = false;
        end = () => {
          if (ended) return;
          ended = true;
          open.delete(end);
          unsubscribe();
          controller.close();
        };
        open.add(end);
        unsubscribe = subscribe(lastEventId, (text) => {
          if (ended) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < -MAX_WAITING) end();
        });
      },
      cancel() {
        open.delete(end);
        unsubscribe();
      },
    });
  }

  return {
    open: (request) =>
      new Response(openBody(request.headers.get('last-event-id')), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      }),
    restart() {
      instance = crypto.randomUUID();
      endAll();
    },
    close: endAll,
  };
}

/** Sends every event after the last one that the reader saw. */
function replay(mock: MockServer, lastEventId: string | null, send: (text: string) => void): void {
  for (let after = lastEventId; after !== null; ) {
    const rows = mock.events({ after, limit: REPLAY_ROWS });
    for (const row of rows) send(message(row, { id: row.id }));
    after = rows.length < REPLAY_ROWS ? null : (rows.at(-1)?.id ?? null);
  }
}

function message(data: unknown, fields: { id?: string; event?: string }): string {
  const id = fields.id === undefined ? '' : `id: ${fields.id}\n`;
  const event = fields.event === undefined ? '' : `event: ${fields.event}\n`;
  return `${id}${event}data: ${JSON.stringify(data)}\n\n`;
}
