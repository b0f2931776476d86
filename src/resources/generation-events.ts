import { type Failure, toError, toGenerationError } from '../core/failure.ts';
import { missingNames } from '../core/promised.ts';
import { AttemptFailed } from '../core/read-response.ts';
import { parseJson } from '../options/values.ts';
import { createEventParser, type ServerEvent } from '../server-sent-events.ts';
import type { CompletedGeneration, Generation } from '../types.ts';
import type { EventSource } from './event-source.ts';

export type Outcome =
  | { readonly generation: CompletedGeneration }
  | { readonly generation?: undefined; readonly error: unknown };

export interface Reading {
  requestId?: string | undefined;
  lastEventId?: string | undefined;
  text: string;
}

export interface StreamChunk {
  /** Comments in front of the events: they keep the connection to the next reader open too. */
  readonly comments: string;
  readonly events: readonly ReadEvent[];
  /** Set on the last chunk. */
  readonly outcome?: Outcome | undefined;
}

interface ReadEvent {
  readonly event: ServerEvent;
  readonly text: string;
  /** Its data, where it is not passed on as it came. */
  readonly changed?: EventValue | undefined;
}

export function createChunkReader(
  source: EventSource,
  reading: Reading,
): () => Promise<StreamChunk> {
  const decoder = new TextDecoder();
  const maxLength = source.maxEventLength;
  const parse = createEventParser(maxLength, () => {
    const hint = `A server-sent event is longer than \`maxResponseBytes\` (${maxLength}).`;
    throw new AttemptFailed({ code: 'response_too_large', hint });
  });
  const newText = skipRead(reading);
  /** Whether what has come so far ends with an event. */
  let isBetween = true;

  function readEvent(event: ServerEvent, events: ReadEvent[]): Outcome | undefined {
    const { type, value } = parseEvent(event, source);
    reading.requestId ??= value?.requestId;
    const hasText = type === 'delta' || type === 'completed';
    const text = hasText ? newText(event, value) : '';
    reading.lastEventId = event.id ?? reading.lastEventId;
    const isCut = type === 'delta' && text !== value?.delta;
    const changed = isCut ? { ...value, delta: text } : source.deployment && value;
    if (text || type !== 'delta') events.push({ event, text, changed });
    if (type === 'completed') return { generation: value as CompletedGeneration };
    if (type !== 'failed' && type !== 'canceled') return undefined;
    return { error: toGenerationError({ ...value, status: type }, source.call) };
  }

  return async () => {
    const bytes = await source.read();
    if (!bytes) {
      const hint = 'The stream ended before the generation did.';
      throw new AttemptFailed({ code: 'stream_interrupted', hint });
    }
    const whole = decoder.decode(bytes, { stream: true });
    const isComment = isBetween && whole.startsWith(':');
    const [comments = ''] = isComment ? (/^(:[^\n]*\n+)*/.exec(whole) ?? []) : [];
    if (whole !== comments) isBetween = /\n\r?\n$/.test(whole);
    const events: ReadEvent[] = [];
    try {
      for (const event of parse(whole)) {
        const outcome = readEvent(event, events);
        if (outcome) return { comments, events, outcome };
      }
      return { comments, events };
    } catch (thrown) {
      // The reader gets what came before.
      const isFailure = thrown instanceof AttemptFailed;
      const error = isFailure ? source.streamError(thrown.failure) : thrown;
      return { comments, events, outcome: { error } };
    }
  };
}

/** The chunk as it is passed on: in the contract's names, without text that an earlier connection has brought. */
export const serializeChunk = ({ comments, events }: StreamChunk): string =>
  comments + events.map(serialize).join('');

function serialize({ event: { id, event, data }, changed }: ReadEvent): string {
  const lines = (changed ? JSON.stringify(changed) : data).replaceAll('\n', '\ndata: ');
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${lines}\n\n`;
}

/**
 * Returns of each delta what was not read before. A connection that goes on behind the last event has only new text;
 * one that starts over, as without ids, repeats what was read. Throws `stream_diverged` at another text, also if only the
 * end event shows it.
 */
function skipRead(reading: Reading): (event: ServerEvent, value?: EventValue) => string {
  const { text: known, lastEventId = 0 } = reading;
  let repeated = 0;
  return ({ id }, { delta = '', result = known } = {}) => {
    const goesOn = id !== undefined && !(Number(id) <= Number(lastEventId));
    if (repeated === 0 && goesOn) repeated = known.length;
    const expected = known.slice(repeated);
    const isEqual = expected.startsWith(delta) || delta.startsWith(expected);
    if (!isEqual || (expected && result !== known)) {
      throw toError(divergedAt(known.length, repeated), { operation: 'getGeneration' });
    }
    repeated = Math.min(known.length, repeated + delta.length);
    const text = delta.slice(expected.length);
    reading.text += text;
    return text;
  };
}

const divergedAt = (read: number, equal: number): Failure => ({
  code: 'stream_diverged',
  hint: `After a new connection the text was another one: ${read} characters had been read, and only the first ${equal} or so came again. Call get() for the whole text.`,
});

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
  const named = source.deployment ? source.deployment.toOurs.streamEvent(type, json) : json;
  const value = (Object(named) === named ? named : undefined) as EventValue | undefined;
  if (type === 'delta' && typeof value?.delta !== 'string')
    throw source.unexpected(`has a ${event} event without its text`);
  const missing =
    type === 'completed' ? missingNames(value, 'generateContent', source.deployment) : [];
  if (missing.length > 0) throw source.unexpected(`has a ${event} event without ${missing}`);
  return { type: type as EventType, value };
}
