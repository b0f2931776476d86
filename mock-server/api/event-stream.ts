import { cancelGeneration, finishGeneration } from '../domain/generations.ts';
import type { Generation } from '../domain/records.ts';
import { runGeneration } from '../domain/run-generation.ts';
import type { CallContext, EventStream } from './operations/answer.ts';
import { generationOf } from './serialize.ts';

const SILENCE_MS = 10_000;

const event = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const endEvent = (generation: Generation): string =>
  event(`generation.${generation.status}`, generationOf(generation));

/** Writes deltas as they come and one end event; closing it cancels the generation. */
export function openStream(call: CallContext, generation: Generation): EventStream {
  const { context } = call;
  const { id } = generation;
  const encoder = new TextEncoder();
  const generations = context.store.table('generations');
  const lifetime = context.scheduler.lifetime;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let ping: ReturnType<typeof setTimeout> | undefined;

  function send(text: string): void {
    controller?.enqueue(encoder.encode(text));
    clearTimeout(ping);
    ping = setTimeout(() => send(': ping\n\n'), SILENCE_MS);
  }

  /** The row's last state, remembered in the same commit that wrote it. */
  function settle(finish: () => Generation): Generation {
    return call.write(() => {
      const done = finish();
      call.rememberStream(done);
      return done;
    });
  }

  async function run(): Promise<void> {
    try {
      const outcome = await context.scheduler.task(id, (signal) =>
        runGeneration(context, generation, signal, (delta) =>
          send(event('generation.delta', { requestId: id, delta })),
        ),
      );
      send(endEvent(settle(() => finishGeneration(context, id, outcome))));
      controller?.close();
    } catch (error) {
      const row = lifetime.aborted ? undefined : generations.get(id);
      if (row?.status !== 'canceled') {
        controller?.error(error);
        return;
      }
      send(endEvent(settle(() => row)));
      controller?.close();
    } finally {
      clearTimeout(ping);
    }
  }

  let finished: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened;
      void run().finally(finished);
    },
    cancel() {
      controller = undefined;
      const row = lifetime.aborted ? undefined : generations.get(id);
      if (row?.status === 'processing') call.write(() => cancelGeneration(context, row));
    },
  });
  return { body, ended };
}

/** The remembered stream: the whole text at once, then its end event. */
export function replayStream(generation: Generation): ReadableStream<Uint8Array> {
  const { id, result } = generation;
  const delta =
    result === undefined ? '' : event('generation.delta', { requestId: id, delta: result });
  const bytes = new TextEncoder().encode(delta + endEvent(generation));
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
