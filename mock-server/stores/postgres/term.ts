import type { TableName } from '../../domain/records.ts';
import { memoryStore } from '../memory.ts';
import { isLog, rowsOf } from '../watched-table.ts';
import { readRows, rowWriter, SESSION_MARK, type StoredRow } from './rows.ts';
import { type Schema, VERSION } from './schema.ts';
import type { Session } from './session.ts';
import { createTermStore, type TermStore } from './term-store.ts';

/** How a leader shows that it is alive. */
export interface Heartbeat {
  readonly everyMs: number;
  /** For this long after a confirmed beat, no other process can have taken over. */
  readonly validMs: number;
}

/** One process's time as the leader. It ends with the connection that holds the lock. */
export interface Term {
  readonly store: TermStore;
  /** Resolves with the reason once the term has ended. */
  readonly over: Promise<Error>;
  /** Gives up the leadership. */
  end(): void;
}

/**
 * Begins a term on a session that holds the lock: announces it, loads all rows, and beats from then on. The session
 * also writes, so a leader without the lock cannot write.
 */
export async function beginTerm(
  session: Session,
  schema: Schema,
  heartbeat: Heartbeat,
  { mark, url }: { readonly mark: string; readonly url: () => string | undefined },
): Promise<Term> {
  const startedAt = instant();
  const [leader] = await session.query<{ term: string }>(
    `UPDATE ${schema.leader} SET term = term + 1, beat = 0, url = $1, version = ${VERSION} RETURNING term`,
    [url() ?? null],
  );
  const pulse = createPulse(session, heartbeat, startedAt, {
    name: 'contentgen-beat',
    text: `UPDATE ${schema.leader} SET beat = beat + 1, url = $2
      WHERE term = $1 AND current_setting('${SESSION_MARK}', true) = $3 RETURNING beat`,
    values: () => [leader?.term, url() ?? null, mark],
  });
  try {
    const memory = memoryStore();
    const packs = new Map<TableName, string[]>();
    await readRows(session, schema, (kind, stored) => {
      const table = rowsOf(memory, kind);
      for (const row of stored.flat()) table.put(row);
      if (isLog(kind)) packs.set(kind, [...(packs.get(kind) ?? []), ...stored.map(idOf)]);
    });
    const store = createTermStore({
      memory,
      packs,
      write: rowWriter(session, schema),
      isConfirmed: pulse.isConfirmed,
      confirm: pulse.beat,
    });
    const over = session.lost.then((reason) => {
      pulse.stop();
      store.end(reason);
      return reason;
    });
    return { store, over, end: session.close };
  } catch (error) {
    pulse.stop();
    throw error;
  }
}

/** A row of a log is a pack of lines, stored under the id of the last one. */
const idOf = (stored: StoredRow): string => [stored].flat().at(-1)?.id ?? '';

interface BeatStatement {
  readonly name: string;
  readonly text: string;
  readonly values: () => unknown[];
}

/** A time on both clocks: the monotonic clock stops while a machine sleeps, and the wall clock can be set back. */
interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

const instant = (): Instant => ({ monotonic: performance.now(), wall: Date.now() });

const msSince = ({ monotonic, wall }: Instant): number =>
  Math.max(performance.now() - monotonic, Date.now() - wall);

/**
 * Beats regularly. A confirmed beat counts from the time it was sent. When a suspended process resumes, its last beat is
 * too old, so it has to ask the database before it can act.
 */
function createPulse(
  session: Session,
  { everyMs, validMs }: Heartbeat,
  startedAt: Instant,
  { values, ...statement }: BeatStatement,
) {
  let confirmedAt = startedAt;
  let beating: Promise<void> | undefined;

  async function send(): Promise<void> {
    await session.exclusive(async (query) => {
      const at = instant();
      const rows = await query(statement, values());
      if (rows.length === 0) {
        session.close();
        throw new Error('Another process is the leader.');
      }
      confirmedAt = at;
    });
  }

  function beat(): Promise<void> {
    beating ??= send().finally(() => {
      beating = undefined;
    });
    return beating;
  }

  const timer = setInterval(() => beat().catch(() => {}), everyMs);
  return {
    beat,
    isConfirmed: () => msSince(confirmedAt) < validMs,
    stop: () => clearInterval(timer),
  };
}
