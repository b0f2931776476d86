import { completed, type Reaction } from './service.ts';

/** A server-sent event as bytes on the wire. */
export const event = (name: string, data: unknown) =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

export const delta = (text: string) =>
  event('generation.delta', { requestId: 'gen_1', delta: text });

/** The last event of a generation that succeeds. */
export const done = event('generation.completed', completed);

/** A response that sends the chunks as an event stream. */
export const sse = (
  chunks: readonly (string | Uint8Array)[],
  ending: Reaction['ending'] = 'end',
): Reaction => ({
  headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_s' },
  chunks,
  ending,
});
