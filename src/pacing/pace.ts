import type { Limit } from '../core/read-limit.ts';
import { elapsed } from '../platform/driver.ts';

interface Ticket {
  readonly number: number;
  seenAt: number;
}

/** A waiter that has not looked for so long is gone, with its page or its Worker's request. */
const GONE_MS = 2000;
/** A request is without a response for at most so long; that of a Worker that was canceled never ends. */
const LONGEST_REQUEST_MS = 600_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;
/** How soon the first waiter looks again while too many requests are without a response. */
const LOOK_MS = 5;

/** What all waiters share. It is only data: each of them finds out itself when it is its turn. */
export function createPace(concurrency: number) {
  const queue: Ticket[] = [];
  const inFlight = new Set<{ readonly startedAt: number }>();
  let joined = 0;
  let notBefore = 0;
  /** The time between two requests, once the service has refused some, and when the next one can start. */
  let gap = 0;
  let nextAt = 0;
  let left = Infinity;
  let resetAt = 0;
  /** The last refusal, or the first request, and what has happened since. A Worker's clock stands at 0 before. */
  let since: number | undefined;
  let succeeded = 0;
  let refused = 0;

  function learn(startedAt: number, limit: Limit, isRefused: boolean): void {
    const now = elapsed();
    const { retryAfterMs, remaining, resetMs = 0 } = limit;
    if (remaining !== undefined) {
      left = Math.min(now < resetAt ? left : Infinity, remaining - inFlight.size);
      resetAt = Math.max(resetAt, now + resetMs);
    }
    if (!isRefused) {
      succeeded += 1;
      refused = 0;
      // Finds out whether the service accepts more by now.
      gap *= 0.99;
      return;
    }
    // Requests that were under way when the first one was refused say nothing new.
    if (since !== undefined && startedAt >= since) {
      refused += 1;
      gap = succeeded > 0 ? (now - since) / succeeded : Math.max(gap, LOOK_MS) * 2;
      since = now;
      succeeded = 0;
    }
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, refused - 1));
    notBefore = Math.max(notBefore, now + (retryAfterMs || growing));
  }

  const pauseMs = () => Math.max(notBefore, left > 0 ? 0 : resetAt) - elapsed();

  return {
    pauseMs,
    /** Joins the queue; a request that was refused goes first. */
    join(isFirst: boolean): Ticket {
      joined += 1;
      const number = isFirst ? (queue[0]?.number ?? joined) - 1 : joined;
      const ticket = { number, seenAt: elapsed() };
      if (isFirst) queue.unshift(ticket);
      else queue.push(ticket);
      return ticket;
    },
    leave(ticket: Ticket): void {
      const at = queue.indexOf(ticket);
      if (at >= 0) queue.splice(at, 1);
    },
    /** How long to wait before looking again; 0 or less when it is this waiter's turn. */
    waitMs(ticket: Ticket): number {
      const now = elapsed();
      ticket.seenAt = now;
      while (queue[0] && now - queue[0].seenAt > GONE_MS) queue.shift();
      for (const request of inFlight) {
        if (now - request.startedAt > LONGEST_REQUEST_MS) inFlight.delete(request);
      }
      const [first = ticket] = queue;
      if (first !== ticket) return Math.max(1, ticket.number - first.number);
      const ms = Math.max(pauseMs(), nextAt - now);
      return ms > 0 || inFlight.size < concurrency ? ms : LOOK_MS;
    },
    /** Starts a request. The function that it returns reports the end. */
    start(): (limit?: Limit, isRefused?: boolean) => void {
      const startedAt = elapsed();
      since ??= startedAt;
      if (startedAt >= resetAt) left = Infinity;
      left -= 1;
      nextAt = startedAt + gap;
      const request = { startedAt };
      inFlight.add(request);
      return (limit, isRefused = false) => {
        inFlight.delete(request);
        if (limit) learn(startedAt, limit, isRefused);
      };
    },
  };
}
