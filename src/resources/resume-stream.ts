import { type Caller, unexpectedResponse } from '../core/caller.ts';
import { Deadline, sleep } from '../core/deadline.ts';
import { type Failure, toError } from '../core/failure.ts';
import { runHook } from '../core/log.ts';
import { race } from '../core/read-response.ts';
import { backoffMs } from '../core/retry.ts';
import type { CallResult } from '../core/send.ts';
import { isContentGenError } from '../errors.ts';
import type { CallOptions } from '../options.ts';
import { elapsed, random } from '../platform/driver.ts';
import type { Generation, OperationId } from '../types.ts';
import { responseSource } from './event-source.ts';
import type { EventSource, Reading } from './generation-events.ts';

/** How the stream of a generation is opened, and opened again after its connection broke. */
export interface Connections {
  open(reading: Reading): Promise<CallResult>;
  /** The next connection; `undefined` if there can be none, so that the break is the error. */
  reopen(reading: Reading, failure: Failure, first: CallResult): Promise<EventSource | undefined>;
  /** Tells the service that nobody wants the text any more, and waits a short time for its answer. */
  readonly cancel?: ((requestId: string) => Promise<void>) | undefined;
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
export function newGeneration(
  caller: Caller,
  body: object | null,
  options: CallOptions | undefined,
): Connections {
  const start = (reading: Reading, more: CallOptions = {}) =>
    caller.send('generateContent', withLastEvent({ ...options, ...more }, reading), {
      body,
      streamTypes,
      isValidBody: () => false,
    });
  return connections(caller, options, {
    open: start,
    reopen(reading, limits, { call: { idempotencyKey } }) {
      // Without a key or the operation, a repetition could be another generation, and another bill.
      if (idempotencyKey === undefined || isAbsent(caller, 'getGeneration')) return undefined;
      if (reading.requestId !== undefined) return attach(caller, reading, options, limits);
      return start(reading, { ...limits, idempotencyKey });
    },
    async cancel(requestId) {
      if (isAbsent(caller, 'cancelGeneration')) return;
      const quiet = { maxRetries: 1, headers: options?.headers };
      const wait = new Deadline(LONGEST_CANCEL_MS, 'deadline_exceeded');
      await race(caller.send('cancelGeneration', quiet, { path: { requestId } }), wait).catch(
        () => {},
      );
      wait.close();
    },
  });
}

/** The stream of a generation that was begun elsewhere. Leaving it does not cancel the generation. */
export function knownGeneration(caller: Caller, options: CallOptions | undefined): Connections {
  return connections(caller, options, {
    open: (reading) => attach(caller, reading, options),
    reopen: (reading, limits) => attach(caller, reading, options, limits),
  });
}

function attach(
  caller: Caller,
  reading: Reading,
  options: CallOptions | undefined,
  limits: CallOptions = {},
): Promise<CallResult> {
  const { idempotencyKey: _, ...rest } = options ?? {};
  return caller.send('getGeneration', withLastEvent({ ...rest, ...limits }, reading), {
    path: { requestId: reading.requestId as string },
    streamTypes,
  });
}

const isAbsent = ({ options }: Caller, operation: OperationId): boolean =>
  options.deployment?.absent?.includes(operation) === true;

function withLastEvent(options: CallOptions, { lastEventId }: Reading): CallOptions {
  if (lastEventId === undefined) return options;
  // In UTF-8 (HTML, section 9.2.3): each character of a header is one byte.
  const bytes = encodeURIComponent(lastEventId).replace(/%(..)/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return { ...options, headers: { ...options.headers, 'last-event-id': bytes } };
}

interface Ways {
  open(reading: Reading): Promise<CallResult>;
  reopen(reading: Reading, limits: CallOptions, first: CallResult): Promise<CallResult> | undefined;
  readonly cancel?: Connections['cancel'];
}

function connections(caller: Caller, options: CallOptions | undefined, ways: Ways): Connections {
  const started = elapsed();
  /** Breaks since the last progress. */
  let breaks = 0;
  let seen = '';
  return {
    ...ways,
    async reopen(reading, failure, first) {
      const { call } = first;
      const position = `${reading.lastEventId} ${reading.text.length}`;
      if (position !== seen) breaks = 0;
      seen = position;
      const deadline = new Deadline(
        call.deadline - (elapsed() - started),
        'deadline_exceeded',
        options?.signal ?? undefined,
      );
      try {
        for (;;) {
          breaks += 1;
          const delayMs = backoffMs(breaks, random());
          if (breaks > call.maxRetries || delayMs >= deadline.remaining()) return undefined;
          const { operation, idempotencyKey } = call;
          const { code, status, requestId } = failure;
          const retry = { operation, idempotencyKey, attempt: breaks + 1, code, status, requestId };
          runHook(caller.options, 'onRetry', () => caller.options.onRetry?.({ ...retry, delayMs }));
          await sleep(delayMs, deadline);
          if (deadline.failure) throw toError(deadline.failure, call);
          const limits = {
            deadline: Math.max(1, deadline.remaining()),
            maxRetries: call.maxRetries - breaks,
          };
          const result = await ways.reopen(reading, limits, first);
          if (!result) return undefined;
          const source = sourceOf(result);
          if (source) return source;
        }
      } catch (error) {
        if (!isContentGenError(error)) throw error;
        const { status } = error as { status?: number };
        if (isOver(error) || (status !== undefined && !hasNone.test(`${status}`))) throw error;
        return undefined;
      } finally {
        deadline.close();
      }
    },
  };
}

/**
 * The events in a response. A service that has no stream of a running generation answers with the generation: its end
 * is all that there is, and while it is running, nothing.
 */
function sourceOf(result: CallResult): EventSource | undefined {
  if (result.stream) return responseSource(result);
  const generation = result.body as Generation;
  if (generation.status === 'processing') return undefined;
  const { requestId, status, result: delta = '' } = generation;
  const event = (name: string, data: object) =>
    `event: generation.${name}\ndata: ${JSON.stringify(data)}\n\n`;
  const text = event('delta', { requestId, delta }) + event(status, generation);
  const chunks = [new TextEncoder().encode(text)];
  return {
    ...responseSource(result),
    translation: undefined,
    read: async () => chunks.shift(),
    close() {},
  };
}

/** The first source of a known generation. */
export function firstSource(result: CallResult): EventSource {
  const source = sourceOf(result);
  if (source) return source;
  throw unexpectedResponse(result, 'is not an event stream, and the generation is still running');
}
