import type { Caller } from '../core/caller.ts';
import { Deadline, sleep } from '../core/deadline.ts';
import { type Failure, toError } from '../core/failure.ts';
import { runHook } from '../core/log.ts';
import { assertPromised, lacks, unexpectedResponse } from '../core/promised.ts';
import { race } from '../core/read-response.ts';
import { backoffMs } from '../core/retry.ts';
import type { CallResult } from '../core/send.ts';
import { isContentGenError } from '../errors.ts';
import type { CallOptions } from '../options.ts';
import { elapsed, random } from '../platform/driver.ts';
import { type EventSource, responseSource } from './event-source.ts';
import type { Reading } from './generation-events.ts';

/** How the stream of a generation is opened, and opened again after its connection broke. */
export interface Connections {
  readonly reading: Reading;
  open(): Promise<EventSource>;
  /** The next connection; `undefined` if there can be none, so that the break is the error. */
  reopen?(failure: Failure): Promise<EventSource | undefined>;
  /** Asks the service to cancel the generation, and waits a short time for its response. */
  cancel?(requestId: string): Promise<void>;
}

/** How long leaving a stream waits until its generation is canceled, at most. */
const LONGEST_CANCEL_MS = 1000;
const streamTypes = /^text\/event-stream\b/i;
/** Codes of a break after which the stream can go on. */
const isBreak = /^(connection_failed|stream_interrupted|idle_timeout)$/;
/** Statuses of a service that has no such stream. */
const hasNone = /^(404|405|406|501)$/;

export const canResume = ({ code, isFinal }: Failure): boolean => isBreak.test(code) && !isFinal;

/** Whether the caller's signal or deadline ended it. */
export const isOver = ({ code }: { readonly code: string }): boolean =>
  /^(aborted|deadline_exceeded)$/.test(code);

/** The stream of a new generation. */
export const newGeneration = (
  caller: Caller,
  body: object | null,
  options: CallOptions | undefined,
): Connections => ({
  ...connections(caller, options, { text: '' }, body),
  async cancel(requestId) {
    const quiet = { maxRetries: 1, headers: options?.headers };
    const canceled = caller.send('cancelGeneration', quiet, { path: { requestId } });
    const wait = new Deadline(LONGEST_CANCEL_MS, 'deadline_exceeded');
    await race(canceled, wait).catch(() => {});
    wait.close();
  },
});

/** The stream of a generation that was begun elsewhere. Leaving it does not cancel the generation. */
export const knownGeneration = (
  caller: Caller,
  position: Omit<Reading, 'text'>,
  options: CallOptions | undefined,
): Connections => connections(caller, options, { ...position, text: '' });

/** @param body - Begins the generation. Without one, `reading` has its id. */
function connections(
  caller: Caller,
  options: CallOptions | undefined,
  reading: Reading,
  body?: object | null,
): Connections {
  let first: CallResult;
  let startedAt: number;
  /** Breaks since the last progress. */
  let breaks = 0;
  let seen = '';

  /** Begins the generation, or goes on with it once its id is known. */
  function send(more?: CallOptions): Promise<CallResult> {
    const { requestId } = reading;
    const all = withLastEvent({ ...options, ...more }, reading);
    if (requestId !== undefined) {
      return caller.send('getGeneration', all, { path: { requestId }, streamTypes });
    }
    return caller.send('generateContent', all, { body, streamTypes });
  }

  return {
    reading,
    async open() {
      startedAt = elapsed();
      first = await send();
      const source = responseSource(first);
      if (source) {
        if (!first.stream && 'result' in Object(first.body))
          assertPromised(first, 'generateContent');
        return source;
      }
      const isRunning = Object(first.body).status !== undefined;
      throw isRunning
        ? unexpectedResponse(first, 'is not an event stream, and the generation is still running')
        : lacks(first, 'result');
    },
    async reopen({ code, status, requestId }) {
      const { call } = first;
      const { operation, idempotencyKey, maxRetries } = call;
      const isNew = operation === 'generateContent';
      const { deployment } = caller.options;
      // A repetition could be another generation, and another bill.
      if (isNew && (!idempotencyKey || deployment?.has('getGeneration') === false))
        return undefined;
      const position = `${reading.lastEventId} ${reading.text.length}`;
      if (position !== seen) breaks = 0;
      seen = position;
      const left = call.deadline - (elapsed() - startedAt);
      const deadline = new Deadline(left, 'deadline_exceeded', options?.signal);
      try {
        for (;;) {
          breaks += 1;
          const delayMs = backoffMs(breaks, random(), caller.options.backoff);
          if (breaks > maxRetries || delayMs >= deadline.remaining()) return undefined;
          const retry = { operation, idempotencyKey, attempt: breaks + 1, code, status, requestId };
          runHook(caller.options, 'onRetry', () => caller.options.onRetry?.({ ...retry, delayMs }));
          await sleep(delayMs, deadline);
          if (deadline.failure) throw toError(deadline.failure, call);
          const result = await send({
            idempotencyKey,
            deadline: Math.max(1, deadline.remaining()),
            maxRetries: maxRetries - breaks,
          });
          const source = responseSource(result);
          if (source) return source;
        }
      } catch (error) {
        if (!isContentGenError(error)) throw error;
        // The limit is that of the whole call.
        const limit = { code: 'deadline_exceeded', limitMs: call.deadline } as const;
        if (error.code === limit.code) throw toError(limit, call);
        const { status } = error as { status?: number };
        if (isOver(error) || (status !== undefined && !hasNone.test(`${status}`))) throw error;
        return undefined;
      } finally {
        deadline.close();
      }
    },
  };
}

function withLastEvent(options: CallOptions, { lastEventId }: Reading): CallOptions {
  if (lastEventId === undefined) return options;
  // In UTF-8 (HTML, section 9.2.3): each character of a header is one byte.
  const bytes = encodeURIComponent(lastEventId).replace(/%(..)/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { ...options, headers: { ...options.headers, 'last-event-id': bytes } };
}
