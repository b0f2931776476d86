import type { Caller } from '../core/caller.ts';
import { Deadline, sleep } from '../core/deadline.ts';
import { type Failure, toError } from '../core/failure.ts';
import { runHook } from '../core/log.ts';
import { assertPromised, lacks, unexpectedResponse } from '../core/promised.ts';
import { race } from '../core/read-response.ts';
import { backoffMs } from '../core/retry.ts';
import type { CallResult } from '../core/send.ts';
import { isContentGenError } from '../errors.ts';
import { isObject } from '../options/values.ts';
import type { CallOptions } from '../options.ts';
import { elapsed, random } from '../platform/driver.ts';
import { type EventSource, responseSource } from './event-source.ts';
import type { Reading } from './generation-events.ts';

export interface Connections {
  readonly reading: Reading;
  open(): Promise<EventSource>;
  /** The next connection; `undefined` if there can be none, so that the break is the error. */
  reopen?(failure: Failure): Promise<EventSource | undefined>;
  cancel?(requestId: string): Promise<void>;
}

interface Connected {
  readonly result: CallResult;
  readonly source: EventSource | undefined;
}

/** How long leaving a stream waits until its generation is canceled, at most. */
const LONGEST_CANCEL_MS = 1000;
const streamTypes = /^text\/event-stream\b/i;
const isBreak = /^(connection_failed|stream_interrupted|idle_timeout)$/;
/** Statuses of a service that has no such stream. */
const hasNone = /^(404|405|406|501)$/;

export const canResume = ({ code, isFinal }: Failure): boolean => isBreak.test(code) && !isFinal;

export const isOver = ({ code }: { readonly code: string }): boolean =>
  /^(aborted|deadline_exceeded)$/.test(code);

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
  let first: Connected;
  let startedAt: number;
  /** Breaks since the last progress. */
  let breaks = 0;
  let seen = '';

  async function connect(more?: CallOptions): Promise<Connected> {
    const { requestId } = reading;
    const own = { ...options, ...more };
    const all = withLastEvent(own, reading);
    if (requestId === undefined) {
      const result = await caller.send('generateContent', all, { body, streamTypes });
      return { result, source: responseSource(result) };
    }
    const path = { requestId };
    const isValidBody = (body: unknown, text: string) => isObject(body) || text === '';
    const result = await caller.send('getGeneration', all, { path, streamTypes, isValidBody });
    if (result.text !== '') return { result, source: responseSource(result) };
    // Nothing comes after the last event that was read, so the generation itself says how it ended.
    const got = await caller.send('getGeneration', own, { path });
    return { result: got, source: responseSource(got, true) };
  }

  return {
    reading,
    async open() {
      startedAt = elapsed();
      first = await connect();
      const { result, source } = first;
      if (source) {
        if (!result.stream && 'result' in Object(result.body))
          assertPromised(result, 'generateContent');
        return source;
      }
      const isRunning = Object(result.body).status !== undefined;
      throw isRunning
        ? unexpectedResponse(result, 'is not an event stream, and the generation is still running')
        : lacks(result, 'result');
    },
    async reopen({ code, status, requestId }) {
      const { call } = first.result;
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
          const { source } = await connect({
            idempotencyKey,
            deadline: Math.max(1, deadline.remaining()),
            maxRetries: maxRetries - breaks,
          });
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
  // The stream starts over if a header cannot carry the id; ids of the contract are numbers.
  if (lastEventId === undefined || !/^[!-~]+$/.test(lastEventId)) return options;
  return { ...options, headers: { ...options.headers, 'last-event-id': lastEventId } };
}
