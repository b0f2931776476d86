import type { ServerResponse } from 'node:http';
import { isPieces, type Pieces, piecesOf, streamOf } from '../api/pieces.ts';
import type { MakeResponse } from '../api/reply.ts';

type Body = string | ReadableStream<Uint8Array> | Pieces;

/**
 * A response, ready for the socket. A native `Response` would cost more than the rest of the call, and its headers 5 kB for as
 * long as a stream is read.
 */
class PlainResponse {
  readonly type = 'default';
  readonly status: number;
  readonly fields: Record<string, string>;
  content: Body;

  constructor(status: number, fields: Record<string, string>, content: Body) {
    this.status = status;
    this.fields = fields;
    this.content = content;
  }

  get headers(): Headers {
    return new Headers(this.fields);
  }

  /** Only of a stream. */
  get body(): ReadableStream<Uint8Array> | null {
    if (isPieces(this.content)) this.content = streamOf(this.content);
    return typeof this.content === 'string' ? null : this.content;
  }
}

/** Makes the responses that {@link sendResponse} sends fastest. */
export const makePlain: MakeResponse = Object.assign(
  (body: BodyInit | null, { status, headers }: Parameters<MakeResponse>[1]) =>
    // Between here and the socket only type, status, headers and the body of a stream are read.
    new PlainResponse(status, headers, (body ?? '') as Body) as unknown as Response,
  { takesPieces: true },
);

/**
 * Sends a response; of a stream, the headers, and then each piece when it comes. One of type `error` ends the
 * connection instead, as if the server had died.
 */
export function sendResponse(res: ServerResponse, response: Response): void {
  if (response.type === 'error') {
    res.destroy();
    return;
  }
  const { status, fields, content } =
    response instanceof PlainResponse
      ? response
      : {
          status: response.status,
          fields: fieldsOf(response.headers),
          content: response.body ?? '',
        };
  res.writeHead(status, fields);
  if (typeof content === 'string') res.end(content);
  else void sendPieces(res, isPieces(content) ? content : piecesOf(content));
}

/** Cookies are the only header that cannot be joined into one line (RFC 6265, 3). */
function fieldsOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie();
  const fields: Record<string, string | string[]> = Object.fromEntries(headers);
  return cookies.length > 1 ? { ...fields, 'set-cookie': cookies } : fields;
}

/**
 * Sends a body piece by piece, as fast as the caller reads. If the body breaks, the pieces so far still arrive, and
 * then the connection ends.
 */
async function sendPieces(res: ServerResponse, pieces: Pieces): Promise<void> {
  const cancel = () => pieces.cancel();
  if (res.destroyed) return cancel();
  res.once('close', cancel);
  res.flushHeaders();
  try {
    for (let piece = await pieces.read(); piece; piece = await pieces.read()) {
      if (!res.write(piece)) await drained(res);
    }
    res.end();
  } catch {
    // Ends the connection once everything written has been sent; destroy() would drop it.
    res.socket?.destroySoon();
  } finally {
    res.off('close', cancel);
  }
}

/** Resolves when more can be written, or when the caller is gone. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.once('drain', done);
    res.once('close', done);
  });
}
