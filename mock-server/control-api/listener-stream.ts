import type { MockServer } from '../composition/mock-server.ts';
import type { ListenerResponse } from '../control/listen/delivery-listeners.ts';
import type { ListenOptions } from '../control/listen/listener-registrations.ts';
import { systemEvents } from '../domain/event-names.ts';
import { integerFrom, mustBe, text } from '../domain/known-options.ts';
import type { ControlHandler } from './input.ts';
import { anyText, fields } from './input.ts';
import { notFound } from './problem.ts';
import { streamEvents } from './stream-events.ts';

/** Opens the stream of a listener's deliveries; its registrations live as long as it does. */
export async function openListener(mock: MockServer, body: unknown): Promise<Response> {
  const options = fields<ListenOptions>(
    body,
    {},
    {
      name: text,
      events: mustBe(`a list of ${systemEvents.join(', ')}`, isEventList),
      secret: text,
      organization: text,
      description: text,
    },
  );
  const stream = streamEvents(({ send, end }) =>
    mock.listeners.connect(options, {
      ready: (view) => send(view, { event: 'ready' }),
      push: (delivery) => send(delivery, { event: 'delivery' }),
      rotated: (rotation) => send(rotation, { event: 'rotated' }),
      end(reason) {
        send({ reason }, { event: 'end' });
        end();
      },
    }),
  );
  // The stream announces the registrations, so they must be durable first.
  await mock.flushed();
  return stream;
}

/** The other control calls for listeners. */
export const listenerRoutes: Readonly<Record<string, ControlHandler>> = {
  'DELETE /listeners/:id': ({ mock, id }) => {
    if (!mock.listeners.remove(id)) throw notFound();
    return { status: 204 };
  },
  'POST /listeners/:id/responses': ({ mock, id: name, body }) => {
    const { id, ...response } = fields<ListenerResponse & { readonly id: string }>(
      body,
      { id: text, status: integerFrom(200, 599) },
      { body: anyText, retryAfter: text },
    );
    if (!mock.listeners.respond(name, id, response)) throw notFound();
    return { status: 204 };
  },
};

function isEventList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => systemEvents.includes(item))
  );
}
