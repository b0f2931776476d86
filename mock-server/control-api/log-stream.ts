import { type Internals, internalsOf } from '../composition/internals.ts';
import type { MockServer } from '../composition/mock-server.ts';
import type { EventView } from '../control/logs/logs.ts';
import { type EventWriter, streamEvents } from './stream-events.ts';

const REPLAY_ROWS = 1000;

export interface LogStreams {
  open(request: Request): Response;
  /** Ends every stream; readers that reconnect see a new instance id. */
  restart(): void;
  close(): void;
}

/** What happens on a mock, as server-sent events: `request`, `delivery` and `event`, each with the row of its list. */
export function logStreams(mock: MockServer): LogStreams {
  const internals = internalsOf(mock);
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
          internals.onEvent((event) => {
            sendDelivery(internals, event, writer);
            writer.send(event, { id: event.id, event: 'event' });
          }),
          internals.onRequest((entry) => writer.send(entry, { event: 'request' })),
        ];
        const { now } = internals.page.server();
        writer.send({ instance, now }, { event: 'hello' });
        replay(internals, request.headers.get('last-event-id'), writer);
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

/** The delivery that an event is about, as it is now. */
function sendDelivery(
  internals: Internals,
  { type, subject }: EventView,
  { send }: EventWriter,
): void {
  const row = subject && type.startsWith('delivery.') ? internals.delivery(subject) : undefined;
  if (row) send(row, { event: 'delivery' });
}

/** Sends every event after the last one that the reader saw. */
function replay(internals: Internals, lastEventId: string | null, { send }: EventWriter): void {
  for (let after = lastEventId; after !== null; ) {
    const rows = internals.eventsAfter(after, REPLAY_ROWS);
    for (const row of rows) send(row, { id: row.id, event: 'event' });
    after = rows.length < REPLAY_ROWS ? null : (rows.at(-1)?.id ?? null);
  }
}
