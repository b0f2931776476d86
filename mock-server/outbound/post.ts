import type { Client, Dispatcher, Pool } from 'undici';
import { onAbort } from '../domain/on-abort.ts';
import type { OutboundOutcome, OutboundRequest } from '../domain/ports.ts';

const maxAnswerBytes = 16 * 1024;
const ended = new Error('The attempt has ended.');

/** What a client's exchanges have to tell one another of its connection. */
interface Connection {
  used: boolean;
}

/** Opens what carries messages to an address: connections that are there already, or one that is new. */
export type OpenPool = (anew: boolean) => Pool;

/** How an idle connection ends that the other side has closed, when a message is just being sent over it. */
const closedCodes = new Set<unknown>(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * One message and what is kept of its answer; settles once, whatever comes after.
 *
 * undici's older callbacks: they hand on the raw head, which nobody needs to have parsed.
 */
class Exchange {
  /** Set by the client that carries the message. */
  connection: Connection | undefined;
  readonly #open: OpenPool;
  readonly #message: Dispatcher.DispatchOptions;
  readonly #settle: (outcome: OutboundOutcome) => void;
  readonly #stopListening: () => void;
  #abort: ((reason: Error) => void) | undefined;
  #settled = false;
  /** Whether its connection had carried another: known once it is sent, and of no matter once it is answered. */
  #reused: boolean | undefined;
  #status = 0;
  #retryAfter: string | undefined;
  #body: Buffer | undefined;

  constructor(
    open: OpenPool,
    message: Dispatcher.DispatchOptions,
    signal: AbortSignal,
    settle: (outcome: OutboundOutcome) => void,
  ) {
    this.#open = open;
    this.#message = message;
    this.#settle = settle;
    this.#stopListening = onAbort(signal, () => this.#end({ error: 'timeout' }));
  }

  send(anew = false): void {
    if (this.#settled) return;
    this.#reused = undefined;
    this.#open(anew).dispatch(this.#message, this);
  }

  onConnect(abort: (reason: Error) => void): void {
    this.#abort = abort;
    if (this.connection) {
      this.#reused = this.connection.used;
      this.connection.used = true;
    }
    // Too late: a connection that came up after the deadline must not carry the message.
    if (this.#settled) abort(ended);
  }

  onHeaders(status: number, rawHeaders: readonly Buffer[]): boolean {
    this.#reused = false;
    // An interim answer comes before the one that counts.
    if (status < 200) return true;
    this.#status = status;
    if (status === 429 || status === 503) this.#retryAfter = findRetryAfter(rawHeaders);
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#body = this.#body ? Buffer.concat([this.#body, chunk]) : chunk;
    if (this.#body.length < maxAnswerBytes) return true;
    this.#body = this.#body.subarray(0, maxAnswerBytes);
    this.#end(this.#answer());
    return true;
  }

  onComplete(): void {
    this.#finish(this.#answer());
  }

  onError(error: Error & { code?: unknown }): void {
    // By its head alone a 204 is whole, whatever its length says.
    if (this.#status === 204) {
      this.#finish(this.#answer());
      return;
    }
    // An idle connection that ended as it was taken tells nothing of the receiver. A new one does, so this ends.
    const reused = this.#reused ?? this.connection?.used ?? false;
    if (reused && closedCodes.has(error.code)) queueMicrotask(() => this.send(true));
    else this.#finish({ error: 'connection' });
  }

  #answer(): OutboundOutcome {
    const snippet = this.#body?.toString('utf8') ?? '';
    return this.#retryAfter === undefined
      ? { status: this.#status, snippet }
      : { status: this.#status, retryAfter: this.#retryAfter, snippet };
  }

  /** Settles, and leaves the connection to nobody. */
  #end(outcome: OutboundOutcome): void {
    this.#finish(outcome);
    this.#abort?.(ended);
  }

  #finish(outcome: OutboundOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#stopListening();
    this.#settle(outcome);
  }
}

/** Reads one field of a raw head: names and values in turn, as bytes. */
function findRetryAfter(rawHeaders: readonly Buffer[]): string | undefined {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 11 && name.toString('latin1').toLowerCase() === 'retry-after') {
      return rawHeaders[at + 1]?.toString('latin1');
    }
  }
  return undefined;
}

/** A pool's client that tells its exchanges whether its connection was used before. */
export function createClient(client: Client): Client {
  const connection: Connection = { used: false };
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (message: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
    if (handler instanceof Exchange) handler.connection = connection;
    return dispatch(message, handler);
  };
  const renew = () => {
    connection.used = false;
  };
  return client.on('connect', renew).on('disconnect', renew);
}

/** Posts a message over a connection of the pool that is open then; never rejects, never sends more than twice. */
export function exchange(
  open: OpenPool,
  path: string,
  { headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundOutcome> {
  if (signal.aborted) return Promise.resolve({ error: 'timeout' });
  return new Promise((resolve) => {
    const message = { path, method: 'POST', headers, body } as const;
    new Exchange(open, message, signal, resolve).send();
  });
}
