import type { MockServer } from '../mock-server.ts';
import { clockOf } from './routes.ts';

const PING_MS = 15_000;
const REPLAY_ROWS = 1000;
/** A reader that falls this far behind is cut off; it comes back with `Last-Event-ID`. */
const MOST_WAITING = 10_000;

export interface EventStreams {
  /** Opens one more. */
  open(request: Request): Response;
  /** Ends all; those that come back are told of another instance. */
  restart(): void;
  close(): void;
}

function frame(data: unknown, facts: { id?: string; event?: string } = {}): string {
  const id = facts.id === undefined ? '' : `id: ${facts.id}\n`;
  const event = facts.event === undefined ? '' : `event: ${facts.event}\n`;
  return `${id}${event}data: ${JSON.stringify(data)}\n\n`;
}

/** What happens, as server-sent events. */
export function eventStreams(mock: MockServer): EventStreams {
  let instance = crypto.randomUUID();
  const open = new Set<() => void>();

  function endAll(): void {
    for (const end of [...open]) end();
  }

  function subscribe(last: string | null, send: (text: string) => void): () => void {
    const ping = setInterval(() => send(': ping\n\n'), PING_MS);
    ping.unref?.();
    const stops = [
      mock.onEvent((event) => send(frame(event, { id: event.id }))),
      mock.onRequest((entry) => send(frame(entry, { event: 'request' }))),
    ];
    send(frame({ instance, now: clockOf(mock).now }, { event: 'hello' }));
    for (let after = last; after !== null; ) {
      const rows = mock.events({ after, limit: REPLAY_ROWS });
      for (const row of rows) send(frame(row, { id: row.id }));
      after = rows.length < REPLAY_ROWS ? null : (rows.at(-1)?.id ?? null);
    }
    return () => {
      clearInterval(ping);
      for (const stop of stops) stop();
    };
  }

  return {
    open(request) {
      const encoder = new TextEncoder();
      let unsubscribe = () => {};
      let end = () => {};
      const body = new ReadableStream<Uint8Array>({
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
          unsubscribe = subscribe(request.headers.get('last-event-id'), (text) => {
            if (ended) return;
            controller.enqueue(encoder.encode(text));
            if ((controller.desiredSize ?? 0) < -MOST_WAITING) end();
          });
        },
        cancel() {
          open.delete(end);
          unsubscribe();
        },
      });
      return new Response(body, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      });
    },
    restart() {
      instance = crypto.randomUUID();
      endAll();
    },
    close: endAll,
  };
}
