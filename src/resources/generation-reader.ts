import { ofGeneration, toError } from '../core/failure.ts';
import { AttemptFailed } from '../core/read-response.ts';
import { isContentGenError } from '../errors.ts';
import type { CompletedGeneration } from '../types.ts';
import type { EventSource } from './event-source.ts';
import { createChunkReader, type Outcome, type StreamChunk } from './generation-events.ts';
import { type Connections, canResume, isOver } from './resume-stream.ts';

export interface GenerationReader {
  /** Settles when the reader gets to the end. */
  readonly ended: Promise<CompletedGeneration>;
  readonly isClaimed: boolean;
  /** @throws TypeError if something else reads it */
  assertUnread(): void;
  claim(): void;
  open(): Promise<EventSource>;
  /** The next chunk; `undefined` after the end. */
  next(): Promise<StreamChunk | undefined>;
  /** The reader takes its time with what it has. */
  touch(): void;
  /** Ends it before its end, whether or not anybody has begun to read it. */
  cancel(): Promise<void>;
}

export function createReader(connections: Connections): GenerationReader {
  const { reading, reopen } = connections;
  let settle!: (outcome: Outcome) => void;
  const ended = new Promise<CompletedGeneration>((resolve, reject) => {
    settle = ({ generation, ...failed }) =>
      generation ? resolve(generation) : reject((failed as { error: unknown }).error);
  });
  // Not an unhandled rejection: the reader gets the error too, and final() might never be called.
  ended.catch(() => {});
  let opening: Promise<EventSource> | undefined;
  /** The first connection, which is that of the call. */
  let first: EventSource | undefined;
  let source: EventSource | undefined;
  let readChunk: () => Promise<StreamChunk>;
  let isClaimed = false;
  let isCanceled = false;
  /** Settles when the service has canceled the generation, or has not in time. */
  let canceled: Promise<void> | undefined;
  let outcome: Outcome | undefined;

  function assertUnread(): void {
    if (!isClaimed) return;
    throw new TypeError('A stream can be read only once; use final() for the full text.');
  }

  function open(): Promise<EventSource> {
    opening ??= connections.open().then(
      (opened) => {
        first = opened;
        connect(opened);
        return opened;
      },
      (error) => {
        throw ofGeneration(error, reading.requestId);
      },
    );
    return opening;
  }

  function connect(opened: EventSource): void {
    source = opened;
    readChunk = createChunkReader(opened, reading);
    // The end is reported even if nobody reads.
    opened.onEnd?.((failure) => {
      if (opened !== source) return;
      // The reader goes on with another connection.
      if (isClaimed && reopen && canResume(failure)) return;
      finish({ error: opened.streamError(failure) });
    });
  }

  async function next(): Promise<StreamChunk | undefined> {
    while (!outcome) {
      try {
        if (!source) await open();
        const chunk = await readChunk();
        // Settled before the last chunk is passed on, because the reader might leave as soon as it has it.
        if (chunk.outcome) finish(chunk.outcome);
        return chunk;
      } catch (thrown) {
        await resume(thrown);
      }
    }
    source?.close();
    if (isCanceled || outcome.generation) return undefined;
    throw (outcome as { error: unknown }).error;
  }

  /** Connects again after a break. Without a connection, and after anything else, the error is the end. */
  async function resume(thrown: unknown): Promise<void> {
    if (!(thrown instanceof AttemptFailed)) return finish({ error: thrown });
    const { failure } = thrown;
    const isOpen = !outcome && canResume(failure);
    const broken = source;
    // Closed first: the next connection might wait for its place.
    source = undefined;
    broken?.close();
    // The first one is the call itself, which goes on.
    if (broken !== first) broken?.result?.end?.({ error: broken.streamError(failure) });
    try {
      const opened = isOpen ? await reopen?.(failure) : undefined;
      // The error is that of the call, whichever of its connections broke.
      if (!opened) throw first?.streamError(failure);
      connect(opened);
    } catch (error) {
      finish({ error });
    }
  }

  /** What the caller does next finds the generation canceled. */
  async function cancel(): Promise<void> {
    isCanceled = true;
    const left = { error: closedEarly() };
    settle(left);
    // A body that was received must be closed; otherwise, nothing has been sent yet.
    if (!opening && reopen) return;
    const close = () => {
      finish(left);
      source?.close();
    };
    if (first) close();
    else open().then(close, () => {});
    await canceled;
  }

  function finish(end: Outcome): void {
    if (outcome) return;
    outcome = end;
    const { requestId } = reading;
    // If its id has not arrived, the service cancels it a minute after its last reader has left.
    if (requestId !== undefined && isGivenUp(end)) canceled = connections.cancel?.(requestId);
    if ('error' in end) ofGeneration(end.error, requestId);
    settle(end);
    const { generation: body } = end;
    for (const open of [first, source]) open?.result?.end?.(body ? { body } : end);
  }

  return {
    ended,
    get isClaimed() {
      return isClaimed;
    },
    assertUnread,
    claim() {
      assertUnread();
      isClaimed = true;
    },
    open,
    next,
    touch: () => source?.touch?.(),
    cancel,
  };
}

/** Whether the caller ended it, by leaving, by its signal or by its deadline. */
const isGivenUp = (outcome: Outcome): boolean =>
  'error' in outcome && isContentGenError(outcome.error) && isOver(outcome.error);

const closedEarly = () =>
  toError({ code: 'aborted', hint: 'The stream was closed before it ended.' }, {});
