import type { IncomingMessage } from 'node:http';

/** What a socket's request is to the handlers; a native `Request` costs more than all of the rest of the path. */
export interface SocketRequest extends Request {
  /** Address of the socket's other end. */
  readonly peer: string | undefined;
}

const decoder = new TextDecoder();

class IncomingHeaders {
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
  }

  get(name: string): string | null {
    const { headers } = this.#message;
    const value = headers[name] ?? headers[name.toLowerCase()];
    if (value === undefined) return null;
    if (name.toLowerCase() !== 'authorization') return String(value);
    // Node keeps the first of several and forgets the others; who sends two credentials has to be refused.
    return this.#message.headersDistinct['authorization']?.join(', ') ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }
}

/**
 * The handlers go by path and query alone, so that the `Host` that a caller names is never parsed; whoever has to
 * know it reads the header.
 */
function addressOf(target: string): string {
  if (target.startsWith('/')) return `http://localhost${target}`;
  // An absolute target is for proxies, but every server has to take it; anything else is no path of ours.
  const { pathname, search } = new URL(URL.canParse(target) ? target : 'http://localhost/*');
  return `http://localhost${pathname}${search}`;
}

function readBytes(message: IncomingMessage): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('error', reject);
    message.on('close', () => {
      if (!message.complete)
        reject(new TypeError('The caller went away before its body had come.'));
    });
    message.on('end', () => {
      const [only] = chunks;
      const whole = chunks.length === 1 && only ? only : Buffer.concat(chunks);
      const { buffer, byteOffset, byteLength } = whole;
      resolve(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    });
  });
}

function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  let wanted = true;
  const unlessOver = (act: () => void) => {
    if (wanted) act();
  };
  return new ReadableStream({
    start(controller) {
      const end = (act: () => void) => {
        unlessOver(act);
        wanted = false;
      };
      message.on('data', (chunk: Buffer) => unlessOver(() => controller.enqueue(chunk)));
      message.on('end', () => end(() => controller.close()));
      message.on('error', (error) => end(() => controller.error(error)));
      message.on('close', () =>
        end(() => controller.error(new TypeError('The caller went away.'))),
      );
    },
    // What is not read any more flows by, so that the answer can still go out.
    cancel() {
      wanted = false;
    },
  });
}

/** The part of `Request` that handlers read, straight from Node's message. */
class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHeaders;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.url = addressOf(message.url ?? '/');
    this.method = message.method ?? 'GET';
    this.headers = new IncomingHeaders(message);
  }

  get peer(): string | undefined {
    return this.#message.socket.remoteAddress;
  }

  /** Null where there can be none; read for a body of undeclared length alone. */
  get body(): ReadableStream<Uint8Array> | null {
    if (!this.headers.has('transfer-encoding')) return null;
    return streamOf(this.#message);
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return readBytes(this.#message);
  }

  async text(): Promise<string> {
    return decoder.decode(await this.arrayBuffer());
  }
}

export function socketRequest(message: IncomingMessage): SocketRequest {
  return new LightRequest(message) as unknown as SocketRequest;
}
