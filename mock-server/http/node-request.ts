import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A request from a socket. Making a native `Request` would cost more than the rest of the call. */
export interface SocketRequest extends Request {
  /** Address of the other end of the socket. */
  readonly peer: string | undefined;
}

/** The part of `Request` that the handlers read, straight from Node's message. */
export function socketRequest(message: IncomingMessage): SocketRequest {
  return new LightRequest(message) as unknown as SocketRequest;
}

class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingHeaders;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.url = urlOf(message.url ?? '/');
    this.method = message.method ?? 'GET';
    this.headers = new IncomingHeaders(message);
  }

  get signal(): AbortSignal {
    return closed(this.#message.socket);
  }

  get peer(): string | undefined {
    return this.#message.socket.remoteAddress;
  }

  /** Null unless the length of the body is undeclared: only then do handlers read it as a stream. */
  get body(): ReadableStream<Uint8Array> | null {
    if (!this.headers.has('transfer-encoding')) return null;
    return streamOf(this.#message);
  }

  bytes(): Promise<Uint8Array> {
    return readBytes(this.#message);
  }
}

const connections = new WeakMap<Socket, AbortSignal>();

/** Aborts when the connection closes: one signal for all of its requests. */
function closed(socket: Socket): AbortSignal {
  const known = connections.get(socket);
  if (known) return known;
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  connections.set(socket, controller.signal);
  return controller.signal;
}

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
    // Node keeps only the first Authorization header, but a request with two credentials must be rejected.
    return this.#message.headersDistinct['authorization']?.join(', ') ?? null;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }
}

/** Handlers read only path and query, so the caller's `Host` is never parsed. Code that needs it reads the header. */
function urlOf(target: string): string {
  if (target.startsWith('/')) return `http://localhost${target}`;
  // Servers must accept an absolute target, which is meant for proxies (RFC 9112, 3.2.2). Anything else has no path.
  const { pathname, search } = new URL(URL.canParse(target) ? target : 'http://localhost/*');
  return `http://localhost${pathname}${search}`;
}

function readBytes(message: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Also when the caller disconnects before its body is complete.
    message.on('error', reject);
    message.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks));
    });
  });
}

function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream({
    start(controller) {
      const end = (act: () => void) => {
        if (open) act();
        open = false;
      };
      message.on('data', (chunk: Buffer) => {
        if (open) controller.enqueue(chunk);
      });
      message.on('end', () => end(() => controller.close()));
      message.on('error', (error) => end(() => controller.error(error)));
      message.on('close', () =>
        end(() => controller.error(new TypeError('The caller disconnected.'))),
      );
    },
    // The rest of the body is still received and dropped, so that the response can go out.
    cancel() {
      open = false;
    },
  });
}
