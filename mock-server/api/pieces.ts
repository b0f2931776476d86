/** A body that comes piece by piece. To a reader in the same process, a web stream would cost 3 kB more. */
export interface Pieces {
  /** The next piece, `undefined` after the last; rejects if the body breaks. */
  read(): Promise<Uint8Array | undefined>;
  cancel(): void;
}

export const isPieces = (body: unknown): body is Pieces =>
  typeof (body as Partial<Pieces> | null)?.read === 'function';

/** Nothing is read ahead. */
export const streamOf = (pieces: Pieces): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await pieces.read();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
      cancel: () => pieces.cancel(),
    },
    { highWaterMark: 0 },
  );

export function piecesOf(stream: ReadableStream<Uint8Array>): Pieces {
  const reader = stream.getReader();
  return {
    read: async () => (await reader.read()).value,
    cancel: () => void reader.cancel().catch(() => {}),
  };
}

export function onePiece(bytes: Uint8Array): Pieces {
  const left = [bytes];
  return { read: async () => left.shift(), cancel() {} };
}
