import type { Failure } from '../core/failure.ts';
import { toError, toGenerationError } from '../core/failure.ts';
import { AttemptFailed, type ByteStream, parseJson } from '../core/read-response.ts';
import type { CallResult } from '../core/send.ts';
import type { Translation } from '../deployment.ts';
import { createEventParser, type ServerEvent } from '../server-sent-events.ts';
import type { CompletedGeneration, Generation } from '../types.ts';

/** An open event stream, and how its errors are made. */
export interface EventSource extends ByteStream {
  readonly maxEventLength: number;
  readonly call: Parameters<typeof toGenerationError>[1];
  readonly translation?: Translation | undefined;
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

/** The events that a chunk of the stream completes, each of them once. */
export interface StreamChunk {
  /** Comments in front of the events: they keep the connection to the next reader open too. */
  readonly comments: string;
  readonly events: readonly ReadEvent[];
  /** Set on the last chunk. */
  readonly outcome?: Outcome | undefined;
}

interface ReadEvent {
  readonly event: ServerEvent;
  /** Its data, in the contract's names; none for an event of a later version. */
  readonly value: EventValue | undefined;
  /** The new text that it brings. */
  readonly text: string;
}

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
    const whole = decoder.decode(bytes, { stream: true });
    const [comments = ''] = whole.startsWith(':') ? (/^(:[^\n]*\n+)*/.exec(whole) ?? []) : [];
    const events: ReadEvent[] = [];
    try {
      for (const event of parse(whole)) {
        const { type, value } = parseEvent(event, source);
        reading.requestId ??= value?.requestId;
        const text = type === 'delta' ? unread(event, value?.delta ?? '') : '';
        reading.lastEventId = event.id ?? reading.lastEventId;
        if (text || type !== 'delta') events.push({ event, value, text });
        if (type === 'completed') {
          return { comments, events, outcome: { generation: value as CompletedGeneration } };
        }
        if (type === 'failed' || type === 'canceled') {
          const error = toGenerationError({ ...value, status: type }, source.call);
          return { comments, events, outcome: { error } };
        }
      }
      return { comments, events };
    } catch (error) {
      return { comments, events, outcome: { error: typedError(error, source) } };
    }
  };
}

/** The chunk as it is passed on: in the contract's names, without text that an earlier connection has brought. */
export const chunkBytes = ({ comments, events }: StreamChunk): Uint8Array =>
  new TextEncoder().encode(comments + events.map(serialize).join(''));

function serialize({ event: { id, event, data }, value, text }: ReadEvent): string {
  const passed = text && text !== value?.delta ? { ...value, delta: text } : value;
  const lines = (passed ? JSON.stringify(passed) : data).replaceAll('\n', '\ndata: ');
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
  const { translation } = source;
  const named = translation ? translation.response('generateContent', json) : json;
  const value = (Object(named) === named ? named : undefined) as EventValue | undefined;
  const isWhole =
    type === 'delta'
      ? typeof value?.delta === 'string'
      : type !== 'completed' || typeof value?.result === 'string';
  if (!isWhole) throw source.unexpected(`has a ${event} event without its text`);
  return { type: type as EventType, value };
}
