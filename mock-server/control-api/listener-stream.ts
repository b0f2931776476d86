import type { MockServer } from '../composition/mock-server.ts';
import type { ListenerResponse } from '../control/listen/delivery-listeners.ts';
import type { ListenOptions } from '../control/listen/listener-registrations.ts';
import { systemEvents } from '../domain/event-names.ts';
import type { ControlHandler } from './handler.ts';
import { anyText, fields, integerBetween, listOf, text } from './input.ts';
import { notFound } from './problem.ts';
import { streamEvents } from './stream-events.ts';

/** Opens the stream of a listener's deliveries; its registrations live as long as it does. */
export async function openListener(mock: MockServer, body: unknown): Promise<Response> {
  const options = fields<ListenOptions>(
    body,
    {},
    {
      name: text,
      events: listOf(...systemEvents),
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
      { id: text, status: integerBetween(200, 599) },
      { body: anyText, retryAfter: text },
    );
    if (!mock.listeners.respond(name, id, response)) throw notFound();
    return { status: 204 };
  },
};
