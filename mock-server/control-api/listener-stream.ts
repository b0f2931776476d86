import type { MockServer } from '../composition/mock-server.ts';
import type { ListenerResponse, ListenOptions } from '../control/listen/delivery-listeners.ts';
import { systemEvents } from '../domain/event-names.ts';
import type { ControlHandler } from './client/control-call.ts';
import { anyText, fields, integerBetween, listOf, text } from './input.ts';
import { notFound } from './problem.ts';

const PING_MS = 15_000;

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
  const stream = connect(mock, options);
  // The stream announces the registrations, so they must be durable first.
  await mock.flushed();
  return new Response(stream, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  });
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

function connect(mock: MockServer, options: ListenOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let disconnect = () => {};
  let ping: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (message: string) => controller.enqueue(encoder.encode(message));
      const sendEvent = (event: string, data: unknown) =>
        send(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      disconnect = mock.listeners.connect(options, {
        ready: (view) => sendEvent('ready', view),
        push: (delivery) => sendEvent('delivery', delivery),
        rotated: (rotation) => sendEvent('rotated', rotation),
        end(reason) {
          clearInterval(ping);
          sendEvent('end', { reason });
          controller.close();
        },
      });
      ping = setInterval(() => send(': ping\n\n'), PING_MS);
      ping.unref?.();
    },
    cancel() {
      clearInterval(ping);
      disconnect();
    },
  });
}
