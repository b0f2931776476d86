import type { Context } from '../domain/context.ts';
import { type Deployment, responseToTheirs } from '../domain/deployment.ts';
import { onAbort } from '../domain/listeners.ts';
import type { Generation } from '../domain/records.ts';
import { cancelGeneration, finishGeneration, runGeneration } from '../domain/run-generation.ts';
import type { EventStream } from './call-context.ts';
import type { OperationCall } from './operations/operation.ts';
import type { Pieces } from './pieces.ts';
import { generationOf } from './serialize.ts';

/** How long a stream can be silent before it sends a comment, which keeps the connection open. */
const PING_AFTER_MS = 10_000;

/** Runs a generation whose text is streamed. It continues for the grace period once its last reader has left. */
export function openStream(call: OperationCall, { id }: Generation): EventStream {
  const { context, deployment } = call;
  const failed = new AbortController();

  async function run(): Promise<void> {
    const { lifetime } = context.scheduler;
    const generations = context.store.table('generations');
    const work = (signal: AbortSignal) =>
      runGeneration(context, generations.get(id) as Generation, signal);
    const outcome = await context.scheduler.task(id, work).catch((error) => {
      if (lifetime.aborted || generations.get(id)?.status !== 'canceled') throw error;
    });
    // The key remembers the final state in the same commit.
    call.write(() => {
      const row = generations.get(id) as Generation;
      call.rememberStream(outcome ? finishGeneration(context, id, outcome) : row);
    });
  }

  call.streaming(id);
  const body = followGeneration(context, deployment, id, 0, failed.signal);
  return { body, ended: run().catch((error) => failed.abort(error)) };
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
 *
 * @param broken - Breaks the stream when it aborts.
 */
export function followGeneration(
  context: Context,
  deployment: Deployment,
  id: string,
  after: number,
  ...broken: readonly AbortSignal[]
): Pieces {
  const { store, live, scheduler } = context;
  const generations = store.table('generations');
  const signals = [scheduler.lifetime, ...broken];
  const encoder = new TextEncoder();
  const find = () => (scheduler.lifetime.aborted ? undefined : generations.get(id));
  let sent = after;
  const isWhole = find()?.status !== 'processing';
  /** The pieces of the text, once it has ended. */
  let ended: readonly string[] | undefined;
  let isOver = false;
  let wake = () => {};
  let isOpen = true;
  const stops: (() => void)[] = [];

  const event = (name: string, data: object): string => {
    sent += 1;
    const theirs = responseToTheirs(deployment, 'generateContent', data);
    return `id: ${sent}\nevent: generation.${name}\ndata: ${JSON.stringify(theirs)}\n\n`;
  };

  /** The next event that has not been sent; none while there is none. */
  function next(row: Generation): string {
    if (sent === 0) return event('started', { requestId: id });
    const isRunning = row.status === 'processing' || row.result === undefined;
    if (!isRunning) ended ??= piecesOf(row);
    const pieces = ended ?? live.pieces(id);
    if (isWhole && sent < pieces.length) {
      const delta = pieces.slice(sent - 1).join('');
      sent = pieces.length;
      return event('delta', { requestId: id, delta });
    }
    const delta = pieces[sent - 1];
    if (delta !== undefined) return event('delta', { requestId: id, delta });
    if (row.status === 'processing') return '';
    isOver = true;
    return event(row.status, generationOf(row));
  }

  const changed = () =>
    new Promise<'changed' | 'silent'>((resolve) => {
      const silent = setTimeout(() => resolve('silent'), PING_AFTER_MS);
      wake = () => {
        clearTimeout(silent);
        resolve('changed');
      };
    });

  function countOne(what: 'cuts' | 'resumptions'): void {
    const row = find();
    if (row) generations.put({ ...row, [what]: (row[what] ?? 0) + 1 });
  }

  function follow(): void {
    if (after > 0) countOne('resumptions');
    const leave = live.follow(id, () => wake());
    stops.push(onAbort(signals, stop), () => {
      const others = leave();
      if (!isOver) countOne('cuts');
      const row = find();
      const isLast = row?.status === 'processing' && row.delivery === 'stream' && others === 0;
      if (isLast) leaveUnread(context, id);
    });
  }

  function stop(): void {
    isOpen = false;
    wake();
    for (const end of stops.splice(0)) end();
  }

  follow();
  return {
    async read() {
      if (isOver) return undefined;
      for (let text = ''; ; text = (await changed()) === 'silent' ? ': ping\n\n' : '') {
        signals.find(({ aborted }) => aborted)?.throwIfAborted();
        if (!isOpen) return undefined;
        const row = find();
        if (!row) {
          stop();
          throw new Error('The generation no longer exists.');
        }
        text += next(row);
        if (isOver) stop();
        if (text !== '') return encoder.encode(text);
      }
    },
    cancel: stop,
  };
}

/** The text as it was streamed: piece by piece if anybody has read it so, otherwise in one piece. */
function piecesOf({ result = '', pieces }: Generation): string[] {
  let end = 0;
  return (pieces ?? [result.length]).flatMap((length) => {
    end += length;
    return length === 0 ? [] : [result.slice(end - length, end)];
  });
}
