import { type Deployment, responseToTheirs } from '../domain/deployment.ts';
import type { Generation } from '../domain/records.ts';
import { cancelGeneration, finishGeneration, runGeneration } from '../domain/run-generation.ts';
import type { EventStream } from './call-context.ts';
import type { OperationCall } from './operations/operation.ts';
import { generationOf } from './serialize.ts';

/** How long a stream can be silent before it sends a comment, which keeps the connection open. */
const PING_AFTER_MS = 10_000;

function event(deployment: Deployment, name: string, data: object): string {
  const sent = responseToTheirs(deployment, 'generateContent', data);
  return `event: ${name}\ndata: ${JSON.stringify(sent)}\n\n`;
}

const endEvent = (deployment: Deployment, generation: Generation): string =>
  event(deployment, `generation.${generation.status}`, generationOf(generation));

/** Sends each delta as it is generated, then one end event. Closing the stream cancels the generation. */
export function openStream(call: OperationCall, generation: Generation): EventStream {
  const { context, deployment } = call;
  const { id } = generation;
  const encoder = new TextEncoder();
  const generations = context.store.table('generations');
  const lifetime = context.scheduler.lifetime;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let ping: ReturnType<typeof setTimeout> | undefined;

  function send(text: string): void {
    controller?.enqueue(encoder.encode(text));
    clearTimeout(ping);
    ping = setTimeout(() => send(': ping\n\n'), PING_AFTER_MS);
  }

  /** Writes the final state and remembers it for the idempotency key in the same commit. */
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
          send(event(deployment, 'generation.delta', { requestId: id, delta })),
        ),
      );
      send(
        endEvent(
          deployment,
          settle(() => finishGeneration(context, id, outcome)),
        ),
      );
      controller?.close();
    } catch (error) {
      const row = lifetime.aborted ? undefined : generations.get(id);
      if (row?.status !== 'canceled') {
        controller?.error(error);
        return;
      }
      send(
        endEvent(
          deployment,
          settle(() => row),
        ),
      );
      controller?.close();
    } finally {
      clearTimeout(ping);
    }
  }

  let finished = () => {};
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

/** The stream of a finished generation: the full text as one delta, then the end event. */
export function replayStream(
  generation: Generation,
  deployment: Deployment,
): ReadableStream<Uint8Array> {
  const { id, result } = generation;
  const delta =
    result === undefined
      ? ''
      : event(deployment, 'generation.delta', { requestId: id, delta: result });
  const bytes = new TextEncoder().encode(delta + endEvent(deployment, generation));
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
