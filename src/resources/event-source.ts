import { type Failure, toError, type toGenerationError } from '../core/failure.ts';
import { unexpectedResponse } from '../core/promised.ts';
import { AttemptFailed, type ByteStream, requestIdOf } from '../core/read-response.ts';
import type { CallResult } from '../core/send.ts';
import type { Deployment } from '../deployment-port.ts';
import type { Generation } from '../types.ts';

export interface EventSource extends ByteStream {
  /** Not of a body that was received from elsewhere. */
  readonly result?: CallResult;
  readonly maxEventLength: number;
  readonly call: Parameters<typeof toGenerationError>[1];
  readonly deployment?: Deployment | undefined;
  streamError(failure: Failure): Error;
  unexpected(problem: string): Error;
}

/**
 * The events in the response of a call. A service that has no stream of a running generation responds with the generation:
 * then its end is all that there is, and while it is running, nothing.
 *
 * @param isRead - The reader has the text already.
 */
export function responseSource(result: CallResult, isRead = false): EventSource | undefined {
  const { call, attempts, response } = result;
  const stream = result.stream ?? endOf(result.body as Generation, isRead);
  return (
    stream && {
      ...stream,
      result,
      call,
      // A JSON body has been translated already.
      deployment: result.stream && call.options.deployment,
      maxEventLength: call.options.maxResponseBytes,
      streamError: (failure) => {
        const code = brokenCode(failure);
        const last = { code, status: response.status, delayMs: 0 };
        const requestId = requestIdOf(response);
        return toError({ requestId, ...failure, code }, call, [...attempts, last]);
      },
      unexpected: (problem) => unexpectedResponse(result, problem),
    }
  );
}

function endOf(generation: Generation, isRead: boolean): ByteStream | undefined {
  const { requestId, result: delta = '' } = generation;
  // A service that only ever responds with whole generations might give them no status.
  const { status = 'result' in generation ? 'completed' : 'processing' } = generation;
  if (status === 'processing') return undefined;
  const event = (name: string, data: object) =>
    `event: generation.${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const text = isRead ? '' : event('delta', { requestId, delta });
  const end = event(status, { ...generation, status });
  const chunks = [new TextEncoder().encode(text + end)];
  return { read: async () => chunks.shift(), close() {} };
}

/** The longest event of a stream that was passed on, in bytes. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

export function bodySource(body: ReadableStream<Uint8Array>): EventSource {
  const reader = body.getReader();
  const call = { operation: 'generateContent' } as const;
  return {
    call,
    maxEventLength: MAX_EVENT_LENGTH,
    read: async () => {
      try {
        return (await reader.read()).value;
      } catch (cause) {
        const isAbort = (cause as Error | undefined)?.name === 'AbortError';
        throw new AttemptFailed({ code: isAbort ? 'aborted' : 'stream_interrupted', cause });
      }
    },
    close: () => void reader.cancel().catch(() => {}),
    streamError: (failure) => toError({ ...failure, code: brokenCode(failure) }, call),
    unexpected: (problem) =>
      toError({ code: 'invalid_response', hint: `The stream ${problem}.` }, call),
  };
}

const brokenCode = ({ code }: Failure) =>
  code === 'connection_failed' ? 'stream_interrupted' : code;
