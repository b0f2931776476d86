import type { Client, Dispatcher } from 'undici';
import { onAbort } from '../domain/listeners.ts';
import type { OutboundOutcome, OutboundRequest } from '../domain/ports.ts';
import { failureOf, timedOut } from './failure.ts';

const MAX_SNIPPET_BYTES = 16 * 1024;
const attemptEnded = new Error('The attempt has ended.');

/** Connections to checked addresses. */
export interface Connections {
  /** Uses a connection that was kept alive, if there is one. */
  readonly kept: Dispatcher;
  /** Opens a new connection for each message. */
  readonly fresh: Dispatcher;
}

/** Shared by the attempts that use the same connection. */
interface Connection {
  used: boolean;
}

/** Error codes of an idle connection that the receiver closed just as a message was sent over it. */
const CLOSED_CODES: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Posts a message. Never rejects and sends at most twice. */
export function post(
  connections: Connections,
  { origin, pathname, search }: URL,
  { headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  if (signal.aborted) return Promise.resolve(timedOut('connecting'));
  return new Promise((resolve) => {
    const message = { origin, path: pathname + search, method: 'POST', headers, body } as const;
    new PostAttempt(connections, message, signal, resolve).send('kept');
  });
}

/** Records on each attempt over this client whether its connection was used before. */
export function trackReuse(client: Client): Client {
  const connection: Connection = { used: false };
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (message: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
    if (handler instanceof PostAttempt) handler.connection = connection;
    return dispatch(message, handler);
  };
  const markUnused = () => {
    connection.used = false;
  };
  return client.on('connect', markUnused).on('disconnect', markUnused);
}

/**
 * One attempt to post a message. It resolves once, no matter what happens later.
 *
 * It uses undici's older callbacks: they pass the raw header block, which is cheaper than undici's own parsing.
 */
class PostAttempt {
  /** Set by the client that carries the message. */
  connection: Connection | undefined;
  readonly #connections: Connections;
  readonly #message: Dispatcher.DispatchOptions;
  readonly #resolve: (outcome: OutboundOutcome) => void;
  readonly #stopListening: () => void;
  #abort: ((reason: Error) => void) | undefined;
  #done = false;
  /** Whether its connection has carried a message before. Unknown until it is sent, irrelevant once headers arrive. */
  #reused: boolean | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #headers: readonly (readonly [string, string])[] = [];
  #body: Buffer | undefined;

  constructor(
    connections: Connections,
    message: Dispatcher.DispatchOptions,
    signal: AbortSignal,
    resolve: (outcome: OutboundOutcome) => void,
  ) {
    this.#connections = connections;
    this.#message = message;
    this.#resolve = resolve;
    this.#stopListening = onAbort(signal, () => this.#abandon(timedOut(this.#phase())));
  }

  send(over: keyof Connections): void {
    if (this.#done) return;
    this.#reused = undefined;
    this.#connections[over].dispatch(this.#message, this);
  }

  onConnect(abort: (reason: Error) => void): void {
    this.#abort = abort;
    if (this.connection) {
      this.#reused = this.connection.used;
      this.connection.used = true;
    }
    // A connection that opens after the deadline must not carry the message.
    if (this.#done) abort(attemptEnded);
  }

  onHeaders(status: number, rawHeaders: readonly Buffer[]): boolean {
    this.#reused = false;
    // An interim response precedes the final one.
    if (status < 200) return true;
    this.#status = status;
    const fields = rawFields(rawHeaders);
    this.#headers = fields;
    if (status === 429 || status === 503) {
      this.#retryAfter = fields.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#body = this.#body ? Buffer.concat([this.#body, chunk]) : chunk;
    if (this.#body.length < MAX_SNIPPET_BYTES) return true;
    this.#body = this.#body.subarray(0, MAX_SNIPPET_BYTES);
    this.#abandon(this.#response());
    return true;
  }

  onComplete(): void {
    this.#finish(this.#response());
  }

  onError(error: Error & { code?: unknown }): void {
    // A 204 is complete with its headers, no matter what its content-length says.
    if (this.#status === 204) {
      this.#finish(this.#response());
      return;
    }
    // A failure of a reused connection says nothing about the receiver; a failure of a new one does.
    const reused = this.#reused ?? this.connection?.used ?? false;
    if (reused && CLOSED_CODES.has(error.code)) queueMicrotask(() => this.send('fresh'));
    else this.#finish(failureOf(error));
  }

  #response(): OutboundOutcome {
    const retryAfter = this.#retryAfter;
    return {
      status: this.#status,
      snippet: this.#body?.toString('utf8') ?? '',
      ...(retryAfter !== undefined && { retryAfter }),
      headers: this.#headers,
    };
  }

  /** How far the attempt has come. */
  #phase(): 'connecting' | 'waiting' | 'reading' {
    if (this.#status !== 0) return 'reading';
    return this.#abort ? 'waiting' : 'connecting';
  }

  /** Finishes the attempt and destroys the connection, which cannot be reused. */
  #abandon(outcome: OutboundOutcome): void {
    this.#finish(outcome);
    this.#abort?.(attemptEnded);
  }

  #finish(outcome: OutboundOutcome): void {
    if (this.#done) return;
    this.#done = true;
    this.#stopListening();
    this.#resolve(outcome);
  }
}

/** The fields of undici's raw header block, in which names and values alternate. */
function rawFields(block: readonly Buffer[]): readonly (readonly [string, string])[] {
  const fields: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < block.length; at += 2) {
    fields.push([block[at]?.toString('latin1') ?? '', block[at + 1]?.toString('latin1') ?? '']);
  }
  return fields;
}
