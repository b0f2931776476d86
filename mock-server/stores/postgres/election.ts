import type { Candidate, Membership } from '../shared-store.ts';
import { PostgresStoreError, poolerError } from './error.ts';
import { SESSION_MARK, SESSION_SETTINGS } from './rows.ts';
import { prepareSchema, type Schema, schemaOf } from './schema.ts';
import { openSession, type PostgresPool, type Session } from './session.ts';
import { beginTerm, type Term } from './term.ts';
import { watchLeader } from './watch-leader.ts';

export interface ElectionOptions {
  readonly schema: string;
  /** Where the other processes can reach this one. */
  readonly url: string | undefined;
  readonly takeoverMs: number;
}

/** How often a standby tries to take the lock, so a takeover takes at most this long once the leader's session has ended. */
const TRY_MS = 100;
/** How many times a standby tries to take the lock between two looks at the leader. */
const TRIES_PER_LOOK = 5;
/** How long to wait before reconnecting while the database cannot be used: doubled each time, up to `longest`. */
const RETRY_MS = { first: 100, longest: 3_000 };
/**
 * The share of the takeover time for which a beat is valid; the rest allows for the time between two beats and for delays.
 */
const VALID_SHARE = 0.6;

/**
 * Takes part in the election until closed. Every process that shares a schema runs this; the one with the lock is the
 * leader.
 */
export function joinElection(
  pool: PostgresPool,
  options: ElectionOptions,
  candidate: Candidate,
): Membership {
  const schema = schemaOf(options.schema);
  const closing = createClosing();
  let url = options.url;
  let session: Session | undefined;
  let term: Term | undefined;
  const retries = createRetries(candidate.onError);

  async function run(): Promise<void> {
    while (!closing.requested) {
      try {
        // Shorter than a standby waits, so that a leader cut off by the network steps down before it is replaced.
        session = await openSession(pool, options.takeoverMs * VALID_SHARE);
        await serveSession(session);
      } catch (error) {
        if (!closing.requested) retries.report(error);
      }
      session?.close();
      session = undefined;
      await closing.pause(retries.nextPause());
    }
  }

  /** Resolves when the session is lost or this process is closing. */
  async function serveSession(open: Session): Promise<void> {
    await prepareSchema(open, options.schema);
    await open.query(SESSION_SETTINGS);
    const mark = await markSession(open);
    await winLock(open, mark);
    if (closing.requested) return;
    const { takeoverMs } = options;
    const heartbeat = { everyMs: takeoverMs / 5, validMs: takeoverMs * VALID_SHARE };
    retries.reset();
    term = await beginTerm(open, schema, heartbeat, { mark, url: () => url });
    try {
      candidate.onLead(term.store);
      candidate.onDeposed(await term.over);
    } finally {
      term = undefined;
    }
  }

  async function winLock(open: Session, mark: string): Promise<void> {
    const watch = watchLeader(open, schema, options.takeoverMs, TRY_MS * TRIES_PER_LOOK);
    for (let tries = 0; !closing.requested; tries += 1) {
      if (await tryLock(open, schema, mark)) return;
      retries.reset();
      if (tries % TRIES_PER_LOOK === 0) candidate.onStandby(await watch.look());
      await closing.pause(TRY_MS);
    }
  }

  const ended = run();
  return {
    advertise(address) {
      url = options.url ?? address;
    },
    async close() {
      closing.request();
      await term?.store.flushedLogs().catch(() => {});
      session?.close();
      await ended;
    },
  };
}

/** Leaves a mark in the session. If it is missing later, a pooler has switched the session. */
async function markSession(session: Session): Promise<string> {
  const mark = crypto.randomUUID();
  await session.query(`SELECT set_config('${SESSION_MARK}', $1, false)`, [mark]);
  return mark;
}

/**
 * Tries to take the lock. Throws if a pooler switches sessions: the lock would then belong to a session that other
 * processes use too.
 */
async function tryLock(session: Session, { leaderLock }: Schema, mark: string): Promise<boolean> {
  const [row] = await session.query<{ won: boolean | null }>(
    {
      name: 'contentgen-try',
      text: `SELECT CASE WHEN current_setting('${SESSION_MARK}', true) = $1 THEN pg_try_advisory_lock(${leaderLock}) END AS won`,
    },
    [mark],
  );
  if (typeof row?.won === 'boolean') return row.won;
  throw poolerError();
}

/** Pauses that grow while the database cannot be used; an error that repeats is reported only once. */
function createRetries(onError: Candidate['onError']) {
  let pauseMs = RETRY_MS.first;
  let reported = '';
  return {
    reset() {
      pauseMs = RETRY_MS.first;
      reported = '';
    },
    nextPause(): number {
      const ms = pauseMs;
      pauseMs = Math.min(pauseMs * 2, RETRY_MS.longest);
      return ms;
    },
    report(cause: unknown): void {
      const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
      if (reason === reported) return;
      reported = reason;
      const sentence = reason.replace(/[^.!?]$/, '$&.');
      const message = `Failed to use PostgreSQL: ${sentence} Retrying.`;
      const code = cause instanceof PostgresStoreError ? cause.code : 'unavailable';
      onError(new PostgresStoreError(code, message, { cause }));
    },
  };
}

/** A request to stop, which also ends pauses. */
function createClosing() {
  let requested = false;
  let wake = () => {};
  return {
    get requested() {
      return requested;
    },
    request() {
      requested = true;
      wake();
    },
    pause(ms: number): Promise<void> {
      if (requested) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
