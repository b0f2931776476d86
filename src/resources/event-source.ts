import { unexpectedResponse } from '../core/caller.ts';
import { type Failure, toError } from '../core/failure.ts';
import { AttemptFailed, type ByteStream, requestIdOf } from '../core/read-response.ts';
import type { CallResult } from '../core/send.ts';
import type { EventSource } from './generation-events.ts';

/** The event stream in the response of a call: `content.stream()` accepts no other body. */
export function responseSource(result: CallResult): EventSource {
  const { stream, call, attempts, response, end } = result;
  return {
    ...(stream as ByteStream),
    call,
    translation: call.translation,
    maxEventLength: call.options.maxResponseBytes,
    end,
    streamError: (failure) => {
      const code = brokenCode(failure);
      const last = { code, status: response.status, delayMs: 0 };
      const requestId = requestIdOf(response);
      return toError({ requestId, ...failure, code }, call, [...attempts, last]);
    },
    unexpected: (problem) => unexpectedResponse(result, problem),
  };
}

/** The longest event of a stream that was passed on, in bytes. */
const MAX_EVENT_LENGTH = 64 * 1024 * 1024;

/** The event stream of `toReadableStream()`, received from elsewhere. */
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
