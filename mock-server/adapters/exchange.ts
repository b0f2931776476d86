import type { Pool } from 'undici';
import type { OutboundOutcome, OutboundRequest } from '../domain/ports.ts';
import type { StopSignal } from '../domain/stop.ts';

const maxAnswerBytes = 16 * 1024;
const ended = new Error('The attempt has ended.');

/**
 * One request and what is kept of its answer; settles once, whatever comes after.
 *
 * undici's older callbacks: they hand on the raw head, which nobody needs to have parsed.
 */
class Exchange {
  readonly #settle: (outcome: OutboundOutcome) => void;
  readonly #stop: StopSignal;
  readonly #onAbort = () => this.#end({ error: 'timeout' });
  #abort: ((reason: Error) => void) | undefined;
  #settled = false;
  #status = 0;
  #retryAfter: string | undefined;
  #body: Buffer | undefined;

  constructor(stop: StopSignal, settle: (outcome: OutboundOutcome) => void) {
    this.#stop = stop;
    this.#settle = settle;
    stop.addEventListener('abort', this.#onAbort, { once: true });
  }

  onConnect(abort: (reason: Error) => void): void {
    this.#abort = abort;
    // Too late: a connection that came up after the deadline must not carry the message.
    if (this.#settled) abort(ended);
  }

  onHeaders(status: number, rawHeaders: readonly Buffer[]): boolean {
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

  onError(): void {
    this.#finish({ error: 'connection' });
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
    this.#stop.removeEventListener('abort', this.#onAbort);
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

/** Posts a message over one of the pool's connections; never rejects. */
export function exchange(
  pool: Pool,
  path: string,
  { headers, body }: OutboundRequest,
  stop: StopSignal,
): Promise<OutboundOutcome> {
  if (stop.aborted) return Promise.resolve({ error: 'timeout' });
  return new Promise((resolve) => {
    pool.dispatch({ path, method: 'POST', headers, body }, new Exchange(stop, resolve));
  });
}
