import type { Pieces } from './pieces.ts';

/** Waits between the last byte and the break; the signal aborts when the caller disconnects. */
type Hold = (signal: AbortSignal) => Promise<void>;

export interface Limit {
  take(bytes: Uint8Array): Uint8Array;
  readonly isReached: boolean;
}

export function limitBytes(left: number): Limit {
  return {
    take(bytes) {
      const taken = bytes.subarray(0, left);
      left -= taken.length;
      return taken;
    },
    get isReached() {
      return left <= 0;
    },
  };
}

const LINE_FEED = 10;

/** Counts server-sent events: each ends with an empty line. */
export function limitEvents(left: number): Limit {
  return {
    take(bytes) {
      for (let at = 1; at < bytes.length; at += 1) {
        if (bytes[at] !== LINE_FEED || bytes[at - 1] !== LINE_FEED) continue;
        left -= 1;
        if (left <= 0) return bytes.subarray(0, at + 1);
      }
      return bytes;
    },
    get isReached() {
      return left <= 0;
    },
  };
}

/** A body up to a limit; then, after `hold`, the connection breaks. A body within the limit arrives complete. */
export function cutStream(body: Pieces, limit: Limit, hold: Hold): Pieces {
  const gone = new AbortController();
  let started = false;
  return {
    async read() {
      if (!limit.isReached) {
        const piece = await body.read();
        started = true;
        return piece && limit.take(piece);
      }
      if (!started) {
        started = true;
        // Some adapters send status and headers only together with the first bytes.
        return new Uint8Array(0);
      }
      await hold(gone.signal).catch(() => {});
      body.cancel();
      throw new TypeError('The connection broke.');
    },
    cancel() {
      gone.abort();
      body.cancel();
    },
  };
}
