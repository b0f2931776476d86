import { isPieces, type Pieces } from './pieces.ts';
import type { Reply } from './reply.ts';

type Copied = readonly [Reply['body'], Reply['body'] | ReadableStream<Uint8Array>];

/** A body and a copy that follows its reader. Unlike with `tee`, the caller who leaves ends both. */
export function copied(body: Reply['body']): Copied {
  if (!isPieces(body)) return [body, body];
  let copy: ReadableStreamDefaultController<Uint8Array> | undefined;
  const listened = new ReadableStream<Uint8Array>({
    start(controller) {
      copy = controller;
    },
    cancel() {
      copy = undefined;
    },
  });
  const close = () => {
    copy?.close();
    copy = undefined;
  };
  const sent: Pieces = {
    async read() {
      try {
        const piece = await body.read();
        if (piece) copy?.enqueue(piece);
        else close();
        return piece;
      } catch (error) {
        copy?.error(error);
        throw error;
      }
    },
    cancel() {
      close();
      body.cancel();
    },
  };
  return [sent, listened];
}
