import type { MockServer } from '../composition/mock-server.ts';
import { clockView } from './routes.ts';
import { type EventWriter, streamEvents } from './stream-events.ts';

const REPLAY_ROWS = 1000;

export interface LogStreams {
  open(request: Request): Response;
  /** Ends every stream; readers that reconnect see a new instance id. */
  restart(): void;
  close(): void;
}

/** The event log and the request log as server-sent events. */
export function logStreams(mock: MockServer): LogStreams {
  let instance = crypto.randomUUID();
  const open = new Set<EventWriter>();

  function endAll(): void {
    for (const { end } of [...open]) end();
  }

  return {
    open: (request) =>
      streamEvents((writer) => {
        open.add(writer);
        const subscriptions = [
          mock.onEvent((event) => writer.send(event, { id: event.id })),
          mock.onRequest((entry) => writer.send(entry, { event: 'request' })),
        ];
        writer.send({ instance, now: clockView(mock).now }, { event: 'hello' });
        replay(mock, request.headers.get('last-event-id'), writer);
        return () => {
          open.delete(writer);
          for (const unsubscribe of subscriptions) unsubscribe();
        };
      }),
    restart() {
      instance = crypto.randomUUID();
      endAll();
    },
    close: endAll,
  };
}

/** Sends every event after the last one that the reader saw. */
function replay(mock: MockServer, lastEventId: string | null, { send }: EventWriter): void {
  for (let after = lastEventId; after !== null; ) {
    const rows = mock.events({ after, limit: REPLAY_ROWS });
    for (const row of rows) send(row, { id: row.id });
    after = rows.length < REPLAY_ROWS ? null : (rows.at(-1)?.id ?? null);
  }
}
