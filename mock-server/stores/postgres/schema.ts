import { PostgresStoreError, poolerError } from './error.ts';
import { openSession, type PostgresPool, type Session } from './session.ts';

/**
 * Version of the rows. A process that finds a newer version does not touch them. Since version 2, one row holds many
 * lines of a log.
 */
export const VERSION = 2;

/** First key of the advisory locks: "cgen". The second one is made from the schema's name. */
const LOCK_CLASS = 0x6367656e;

/** Names and keys in SQL for one schema. */
export interface Schema {
  readonly rows: string;
  readonly leader: string;
  /** The two keys of the lock that the leader holds, as SQL. */
  readonly leaderLock: string;
  /** The two keys separately, as in `pg_locks`. */
  readonly lockKeys: readonly [number, number];
}

export function schemaOf(name: string): Schema {
  const quoted = `"${name}"`;
  const lockKeys = [LOCK_CLASS, hash(name)] as const;
  return {
    rows: `${quoted}.rows`,
    leader: `${quoted}.leader`,
    leaderLock: lockKeys.join(', '),
    lockKeys,
  };
}

/**
 * Creates the tables unless they exist. Several processes can do so at once.
 *
 * @throws PostgresStoreError if a newer version of contentgen created them, or the database is not in UTF-8
 */
export async function prepareSchema(session: Session, name: string): Promise<void> {
  const { rows, leader } = schemaOf(name);
  await session.exclusive(async (query) => {
    const [found] = await query<{ encoding: string; leader: string | null }>(
      `SELECT current_setting('server_encoding') AS encoding, to_regclass('${leader}')::text AS leader`,
    );
    if (found?.encoding !== 'UTF8') {
      throw new PostgresStoreError(
        'encoding',
        `The database uses ${found?.encoding}, but generated text needs UTF8. Create the database with ENCODING 'UTF8'.`,
      );
    }
    if (!found.leader) {
      await query('BEGIN');
      try {
        await query(`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${hash(`${name}:schema`)})`);
        await query(`CREATE SCHEMA IF NOT EXISTS "${name}"`);
        for (const table of tables(rows, leader)) await query(table);
        await query('COMMIT');
      } catch (error) {
        await query('ROLLBACK');
        throw error;
      }
    }
    const [stored] = await query<{ version: number }>(`SELECT version FROM ${leader}`);
    const version = stored?.version ?? VERSION;
    if (version > VERSION) {
      throw new PostgresStoreError(
        'newer',
        `The schema ${name} has version ${version}, but this version of contentgen supports only ${VERSION}. Update contentgen or choose another schema.`,
      );
    }
  });
}

/** Ids are compared byte by byte, as JavaScript compares them. */
function tables(rows: string, leader: string): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${rows} (
      kind text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      row text NOT NULL,
      PRIMARY KEY (kind, id)
    ) WITH (fillfactor = 80)`,
    `CREATE TABLE IF NOT EXISTS ${leader} (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      version integer NOT NULL,
      term bigint NOT NULL DEFAULT 0,
      beat bigint NOT NULL DEFAULT 0,
      url text
    ) WITH (fillfactor = 10)`,
    `INSERT INTO ${leader} (version) VALUES (${VERSION}) ON CONFLICT DO NOTHING`,
  ];
}

/** FNV-1a as a signed 32-bit integer. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value | 0;
}

/**
 * Connects once and creates the tables, so that problems are reported early.
 *
 * @throws PostgresStoreError if the database cannot be used as it is, or the driver's error
 */
export async function checkDatabase(
  pool: PostgresPool,
  schema: string,
  deadlineMs: number,
): Promise<void> {
  const session = await openSession(pool, deadlineMs);
  // A pooler with room for only one session cannot switch between two.
  const second = await openSession(pool, deadlineMs).catch(() => undefined);
  try {
    if (second) await checkSessions(session, second);
    await prepareSchema(session, schema);
  } finally {
    session.close();
    second?.close();
  }
}

/** Throws if two connections share a session, or one has another session as soon as a transaction occupies its own. */
async function checkSessions(session: Session, second: Session): Promise<void> {
  const backendOf = async ({ query }: Session) => {
    const [row] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return row?.pid;
  };
  const own = await backendOf(session);
  await second.query('BEGIN');
  const other = await backendOf(second);
  const isSwitched = other === own || (await backendOf(session)) !== own;
  await second.query('ROLLBACK');
  if (isSwitched) throw poolerError();
}
