import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerRequest } from 'srvx';
import type { MakeResponse } from '../handlers/reply.ts';

/** What srvx does for everything that is not on the measured path. */
export interface Srvx {
  readonly NodeRequest: new (context: {
    req: IncomingMessage;
    res: ServerResponse;
  }) => ServerRequest;
  sendNodeResponse(res: ServerResponse, response: Response): Promise<void>;
}

/** An answer that goes to the socket as it is; a native Response costs more than all of the rest of the path. */
class PlainResponse {
  readonly type = 'default';
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly bytes: Uint8Array;

  constructor(status: number, fields: Record<string, string>, bytes: Uint8Array) {
    this.status = status;
    this.fields = fields;
    this.bytes = bytes;
  }

  get headers(): Headers {
    return new Headers(this.fields);
  }
}

const oneWrite = 64 * 1024;
const nothing = new Uint8Array(0);

/** Makes what {@link sendResponse} sends fastest; streams become native Responses. */
export const makePlain: MakeResponse = (body, init) => {
  const plain = body === null || body instanceof Uint8Array;
  if (!plain) return new Response(body, init);
  // Nothing between here and the socket reads more of it than type, status and headers.
  return new PlainResponse(init.status, init.headers, body ?? nothing) as unknown as Response;
};

/** A request whose headers, address and body are read when asked for. */
export function readRequest(
  { NodeRequest }: Srvx,
  req: IncomingMessage,
  res: ServerResponse,
): ServerRequest {
  const request = new NodeRequest({ req, res });
  request.arrayBuffer = () => readBody(req);
  return request;
}

/** Sends an answer; one of type `error` is no answer: the connection ends, as it does when a server dies. */
export async function sendResponse(
  srvx: Srvx,
  res: ServerResponse,
  response: Response,
): Promise<void> {
  if (response.type === 'error') res.destroy();
  else if (response instanceof PlainResponse) {
    res.writeHead(response.status, response.fields);
    endWith(res, response.bytes);
  } else await srvx.sendNodeResponse(res, response);
}

/** Node sends a string together with the head in one write, bytes in a second: that halves the cost of an answer. */
function endWith(res: ServerResponse, { buffer, byteOffset, byteLength }: Uint8Array): void {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (byteLength <= oneWrite) res.end(bytes.toString('latin1'), 'latin1');
  else res.end(bytes);
}

function readBody(req: IncomingMessage): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', reject);
    req.on('close', () => {
      if (!req.complete) reject(new TypeError('The caller went away before its body had come.'));
    });
    req.on('end', () => {
      const [only] = chunks;
      const whole = chunks.length === 1 && only ? only : Buffer.concat(chunks);
      const { buffer, byteOffset, byteLength } = whole;
      resolve(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    });
  });
}
