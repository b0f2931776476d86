import type { Context } from '../domain/context.ts';
import type { Deployment } from '../domain/deployment.ts';
import type { Run } from '../domain/job-runner.ts';
import type { Follower } from '../domain/live-generations.ts';
import type { Generation } from '../domain/records.ts';
import { cancelGeneration, finishGeneration, runGeneration } from '../domain/run-generation.ts';
import { type Interval, realTimers } from '../real-timers.ts';
import type { EventStream } from './call.ts';
import type { OperationCall } from './operations/operation.ts';
import type { Pieces } from './pieces.ts';
import { generationOf } from './serialize.ts';

/** How long a stream can be silent before it sends a comment, which keeps the connection open. */
const PING_AFTER_MS = 10_000;

/** Runs a generation whose text is streamed. It continues for the grace period once its last reader has left. */
export function openStream(call: OperationCall, { id }: Generation): EventStream {
  const { context, deployment } = call;

  async function run(): Promise<void> {
    const { lifetime } = context.scheduler;
    const generations = context.store.table('generations');
    const work = (run: Run) => runGeneration(context, generations.get(id) as Generation, run);
    const outcome = await context.scheduler.task(id, work).catch((error) => {
      if (lifetime.aborted || generations.get(id)?.status !== 'canceled') throw error;
    });
    // The key remembers the final state in the same commit.
    call.write(() => {
      if (outcome) finishGeneration(context, id, outcome);
      call.rememberStream(id);
    });
  }

  call.streaming(id);
  const body = followGeneration(context, deployment, id, 0);
  return { body, ended: run().catch((error) => context.live.fail(id, error)) };
}

/** Cancels a streamed generation that nobody reads for the grace period. */
function leaveUnread(context: Context, id: string): void {
  const { store, scheduler, live, settings } = context;
  const cancel = () => {
    const row = store.table('generations').get(id);
    if (row?.status === 'processing') store.transaction(() => cancelGeneration(context, row));
  };
  if (settings.streamGrace === 0) cancel();
  else live.whileUnread(id, scheduler.after(settings.streamGrace, cancel));
}

/**
 * The events of a generation after the one with the number `after`, up to its end: `generation.started` is number 1,
 * then comes a `generation.delta` for each piece of the text, and the end event is the last. Of a generation that has
 * ended, the rest of the text is one event. A reader that falls behind holds no events back: they are made when they
 * are read.
 */
export const followGeneration = (
  context: Context,
  deployment: Deployment | undefined,
  id: string,
  after: number,
): Pieces => new GenerationEvents(context, deployment, id, after);

/** The number of the end event: the first event and the pieces of the text come before it. */
export const endNumberOf = ({ result, pieces }: Generation): number =>
  (pieces?.length ?? (result ? 1 : 0)) + 2;

/** What one reader of a generation gets. Thousands can wait for the same one: each holds its place and little else. */
class GenerationEvents implements Pieces, Follower {
  readonly #context: Context;
  readonly #deployment: Deployment | undefined;
  readonly #id: string;
  readonly #readers: Readers;
  readonly #isWhole: boolean;
  #sent: number;
  #ended: readonly string[] | undefined;
  #isOver = false;
  /** Whether nothing more comes: it is over, broken, or its reader has left. */
  #isClosed = false;
  #broken: { readonly error: unknown } | undefined;
  #wake: ((ping?: string) => void) | undefined;
  /** Nothing has been sent since the last look for silent ones. */
  #isSilent = false;

  constructor(context: Context, deployment: Deployment | undefined, id: string, after: number) {
    this.#context = context;
    this.#deployment = deployment;
    this.#id = id;
    this.#sent = after;
    this.#readers = readersOf(context.scheduler.lifetime);
    this.#isWhole = this.#find()?.status !== 'processing';
    context.live.follow(id, this);
    this.#readers.add(this);
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#isOver) return undefined;
    for (let ping = ''; ; ping = await this.#woken()) {
      if (this.#broken) throw this.#broken.error;
      if (this.#isClosed) return undefined;
      const row = this.#find();
      if (!row) {
        this.cancel();
        throw new Error('The generation no longer exists.');
      }
      const text = this.#next(row) || ping;
      if (this.#isOver) this.cancel();
      if (text === '') continue;
      this.#isSilent = false;
      return new TextEncoder().encode(text);
    }
  }

  /** There can be something to read. In a later step, so that what changed has been committed. */
  changed(): void {
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#broken ??= { error };
    this.cancel();
  }

  pingIfSilent(): void {
    if (this.#isSilent) this.#wake?.(': ping\n\n');
    this.#isSilent = true;
  }

  /** The reader has left, or there is no more to read. */
  cancel(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wake?.();
    this.#readers.delete(this);
    const others = this.#context.live.leave(this.#id, this);
    const row = this.#find();
    const isLast = row?.status === 'processing' && row.delivery === 'stream' && others === 0;
    if (isLast) leaveUnread(this.#context, this.#id);
  }

  #woken(): Promise<string> {
    return new Promise((resolve) => {
      this.#wake = (ping = '') => {
        this.#wake = undefined;
        resolve(ping);
      };
    });
  }

  #find(): Generation | undefined {
    if (this.#readers.lifetime.aborted) return undefined;
    return this.#context.store.table('generations').get(this.#id);
  }

  /** The next event that has not been sent; none while there is none. */
  #next(row: Generation): string {
    const requestId = this.#id;
    if (this.#sent === 0) return this.#event('started', { requestId });
    const isRunning = row.status === 'processing' || row.result === undefined;
    if (!isRunning) this.#ended ??= piecesOf(row);
    const pieces = this.#ended ?? this.#context.live.pieces(requestId);
    if (this.#isWhole && this.#sent < pieces.length) {
      const delta = pieces.slice(this.#sent - 1).join('');
      this.#sent = pieces.length;
      return this.#event('delta', { requestId, delta });
    }
    const delta = pieces[this.#sent - 1];
    if (delta !== undefined) return this.#event('delta', { requestId, delta });
    if (row.status === 'processing') return '';
    this.#isOver = true;
    this.#sent = endNumberOf(row) - 1;
    return this.#event(row.status, generationOf(row));
  }

  #event(name: string, data: object): string {
    this.#sent += 1;
    const theirs = this.#deployment ? this.#deployment.toTheirs.streamEvent(name, data) : data;
    return `id: ${this.#sent}\nevent: generation.${name}\ndata: ${JSON.stringify(theirs)}\n\n`;
  }
}

/** All who read a stream of the service until its next reset: one timer and one listener serve them all. */
class Readers {
  readonly lifetime: AbortSignal;
  readonly #all = new Set<GenerationEvents>();
  #timer: Interval | undefined;

  constructor(lifetime: AbortSignal) {
    this.lifetime = lifetime;
    const fail = () => {
      for (const reader of this.#all) reader.fail(lifetime.reason);
    };
    lifetime.addEventListener('abort', fail);
  }

  add(reader: GenerationEvents): void {
    this.#all.add(reader);
    this.#timer ??= this.#startTimer();
    if (this.lifetime.aborted) reader.fail(this.lifetime.reason);
  }

  #startTimer(): Interval {
    const timer = realTimers.setInterval(() => {
      for (const reader of this.#all) reader.pingIfSilent();
    }, PING_AFTER_MS / 2);
    // It must not keep a process alive.
    (timer as { unref?: () => void }).unref?.();
    return timer;
  }

  delete(reader: GenerationEvents): void {
    this.#all.delete(reader);
    if (this.#all.size > 0) return;
    realTimers.clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

const allReaders = new WeakMap<AbortSignal, Readers>();

function readersOf(lifetime: AbortSignal): Readers {
  const readers = allReaders.get(lifetime) ?? new Readers(lifetime);
  allReaders.set(lifetime, readers);
  return readers;
}

/** The text as it was streamed: piece by piece if anybody has read it so, otherwise in one piece. */
function piecesOf({ result = '', pieces }: Generation): string[] {
  let end = 0;
  return (pieces ?? [result.length]).flatMap((length) => {
    end += length;
    return length === 0 ? [] : [result.slice(end - length, end)];
  });
}
