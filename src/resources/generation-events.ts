import type { Failure } from '../core/failure.ts';
import { toError, toGenerationError } from '../core/failure.ts';
import { AttemptFailed, type ByteStream, parseJson } from '../core/read-response.ts';
import type { CallResult } from '../core/send.ts';
import { type Deployment, toOurs } from '../deployment.ts';
import { createEventParser, type ServerEvent } from '../server-sent-events.ts';
import type { CompletedGeneration, Generation } from '../types.ts';

/** An open event stream, and how its errors are made. */
export interface EventSource extends ByteStream {
  readonly maxEventLength: number;
  readonly call: Parameters<typeof toGenerationError>[1];
  readonly deployment?: Deployment | undefined;
  /** Reports how the stream ended. */
  readonly end?: CallResult['end'];
  /** The error of a stream that broke. */
  streamError(failure: Failure): Error;
  /** The error of an event that doesn't match the contract. */
  unexpected(problem: string): Error;
}

/** How a generation ended. */
export type Outcome =
  | { readonly generation: CompletedGeneration }
  | { readonly generation?: undefined; readonly error: unknown };

/** What has been read of a generation, over all its connections. */
export interface Reading {
  requestId?: string | undefined;
  lastEventId?: string | undefined;
  text: string;
}

/** The events that a chunk of the stream completes. */
export interface StreamChunk {
  /** The events, to be passed on; each of them once. */
  readonly bytes: () => Uint8Array;
  /** The pieces of the text, with the `id:` of the event that brought each. */
  readonly pieces: readonly { readonly text: string; readonly id: string | undefined }[];
  /** Set on the last chunk. */
  readonly outcome?: Outcome | undefined;
}

const encoder = () => new TextEncoder();

/** A reader of one connection's bytes. What an earlier connection has read is in `reading`. */
export function createChunkReader(
  source: EventSource,
  reading: Reading,
): (bytes: Uint8Array) => StreamChunk {
  const decoder = new TextDecoder();
  const maxLength = source.maxEventLength;
  const parse = createEventParser(maxLength, () => {
    const hint = `A server-sent event is longer than \`maxResponseBytes\` (${maxLength}).`;
    throw new AttemptFailed({ code: 'response_too_large', hint });
  });
  const unread = skipRead(reading);
  return (bytes) => {
    const pieces: { text: string; id: string | undefined }[] = [];
    const text = decoder.decode(bytes, { stream: true });
    // Comments keep the connection to the next reader open too.
    const [comments = ''] = text.startsWith(':') ? (/^(:[^\n]*\n+)*/.exec(text) ?? []) : [];
    const passed: (readonly [ServerEvent, object | undefined])[] = [];
    const chunk = () => ({
      // Written only for a reader who passes events on.
      bytes: () =>
        encoder().encode(
          comments + passed.map(([event, value]) => serialize(event, value)).join(''),
        ),
      pieces,
    });
    try {
      for (const event of parse(text)) {
        const { type, value } = parseEvent(event, source);
        reading.requestId ??= value?.requestId;
        const piece = type === 'delta' ? unread(event, value?.delta ?? '') : '';
        reading.lastEventId = event.id ?? reading.lastEventId;
        if (piece) {
          pieces.push({ text: piece, id: event.id });
          passed.push([event, piece === value?.delta ? value : { ...value, delta: piece }]);
        } else if (type !== 'delta') passed.push([event, value]);
        if (type === 'completed') {
          return { ...chunk(), outcome: { generation: value as CompletedGeneration } };
        }
        if (type === 'failed' || type === 'canceled') {
          const error = toGenerationError({ ...value, status: type }, source.call);
          return { ...chunk(), outcome: { error } };
        }
      }
      return chunk();
    } catch (error) {
      return { ...chunk(), outcome: { error: typedError(error, source) } };
    }
  };
}

/** An event, in the contract's names. One that the client does not know stays as it came. */
function serialize({ id, event, data }: ServerEvent, value?: object): string {
  const lines = (value ? JSON.stringify(value) : data).replaceAll('\n', '\ndata: ');
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${lines}\n\n`;
}

/**
 * Returns of each delta what was not read before. A connection that goes on behind the last event has only new text;
 * one that begins anew, as without ids, repeats what was read.
 */
function skipRead(reading: Reading): (event: ServerEvent, delta: string) => string {
  const { text: known, lastEventId } = reading;
  let repeated = known === '' ? undefined : 0;
  return ({ id }, delta) => {
    if (repeated === 0 && id !== undefined && !(Number(id) <= Number(lastEventId ?? 0))) {
      repeated = undefined;
    }
    let piece = delta;
    if (repeated !== undefined) {
      const expected = known.slice(repeated);
      if (!expected.startsWith(delta) && !delta.startsWith(expected)) {
        throw toError(divergedAt(known.length, repeated), { operation: 'getGeneration' });
      }
      piece = delta.slice(expected.length);
      repeated = delta.length < expected.length ? repeated + delta.length : undefined;
    }
    reading.text += piece;
    return piece;
  };
}

const divergedAt = (read: number, equal: number): Failure => ({
  code: 'stream_diverged',
  hint: `After a new connection the text was another one: ${read} characters had been read, and only the first ${equal} or so came again. Call get() for the whole text.`,
});

/** What a read of the source threw, as the error that callers see. */
export const typedError = (error: unknown, source: EventSource): unknown =>
  error instanceof AttemptFailed ? source.streamError(error.failure) : error;

type EventType = 'started' | 'delta' | 'completed' | 'failed' | 'canceled';
type EventValue = Partial<Generation> & { delta?: string };

/** The type of an event and its data in our names; neither for an event of a later version. */
function parseEvent(
  { event, data }: ServerEvent,
  source: EventSource,
): { readonly type?: EventType; readonly value?: EventValue | undefined } {
  const [, type] = /^generation\.(started|delta|completed|failed|canceled)$/.exec(event) ?? [];
  if (!type) return {};
  const json = parseJson(data);
  const { deployment } = source;
  const named = deployment ? toOurs(deployment, 'generateContent', json) : json;
  const value = (Object(named) === named ? named : undefined) as EventValue | undefined;
  const isWhole =
    type === 'delta'
      ? typeof value?.delta === 'string'
      : type !== 'completed' || typeof value?.result === 'string';
  if (!isWhole) throw source.unexpected(`has a ${event} event without its text`);
  return { type: type as EventType, value };
}
