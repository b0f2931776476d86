import type { Failure } from '../core/failure.ts';
import { toGenerationError } from '../core/failure.ts';
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

/** A chunk of the stream as it came, and what it contains. */
export interface StreamChunk {
  readonly bytes: Uint8Array;
  /** The pieces of the text that it completes. */
  readonly pieces: readonly string[];
  /** Set on the last chunk. */
  readonly outcome?: Outcome | undefined;
}

/** A reader of the source's bytes, which takes them chunk by chunk. */
export function createChunkReader(source: EventSource): (bytes: Uint8Array) => StreamChunk {
  const decoder = new TextDecoder();
  const maxLength = source.maxEventLength;
  const parse = createEventParser(maxLength, () => {
    const hint = `A server-sent event is longer than \`maxResponseBytes\` (${maxLength}).`;
    throw new AttemptFailed({ code: 'response_too_large', hint });
  });
  return (bytes) => {
    const pieces: string[] = [];
    try {
      for (const event of parse(decoder.decode(bytes, { stream: true }))) {
        const content = parseEvent(event, source);
        if (typeof content === 'string') pieces.push(content);
        else if (content) return { bytes, pieces, outcome: { generation: content } };
      }
      return { bytes, pieces };
    } catch (error) {
      return { bytes, pieces, outcome: { error: typedError(error, source) } };
    }
  };
}

/** What a read of the source threw, as the error that callers see. */
export const typedError = (error: unknown, source: EventSource): unknown =>
  error instanceof AttemptFailed ? source.streamError(error.failure) : error;

/** A piece of the text, the completed generation, or `undefined` for an event of a later version. */
function parseEvent(
  { event, data }: ServerEvent,
  source: EventSource,
): string | CompletedGeneration | undefined {
  const [, type] = /^generation\.(delta|completed|failed|canceled)$/.exec(event) ?? [];
  if (!type) return undefined;
  const json = parseJson(data);
  const { deployment } = source;
  const named = deployment ? toOurs(deployment, 'generateContent', json) : json;
  const value = named as (Generation & { delta?: unknown }) | undefined;
  if (type === 'failed' || type === 'canceled') {
    throw toGenerationError({ ...value, status: type }, source.call);
  }
  if (type === 'delta' && typeof value?.delta === 'string') return value.delta;
  if (type === 'completed' && typeof (value as CompletedGeneration)?.result === 'string') {
    return value as CompletedGeneration;
  }
  throw source.unexpected(`has a ${event} event without its text`);
}
