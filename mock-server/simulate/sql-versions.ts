import type { Engine } from './sql-engine.ts';

/** How strongly a row is locked, by PostgreSQL's names: KEY SHARE, SHARE, NO KEY UPDATE, UPDATE. */
export type LockMode = 'k' | 's' | 'n' | 'u';

/** Which modes cannot be held at the same time. */
const CONFLICTS: Readonly<Record<LockMode, string>> = { k: 'u', s: 'nu', n: 'snu', u: 'ksnu' };

/** What an open transaction has done to one table; rows of the table by their `ctid`, which stays as long as they do. */
interface TableVersion {
  readonly removed: string[];
  readonly added: string[];
  readonly locked: string[];
}

export interface Version {
  readonly tables: ReadonlyMap<string, TableVersion>;
  /** Its number, if PostgreSQL has given it one. */
  readonly number: string | undefined;
}

interface Holder {
  readonly version: Version | undefined;
  /** How strongly it holds the rows that it has changed, and those that it has only locked. */
  readonly removalMode: LockMode;
  readonly lockMode: LockMode;
}

interface Table {
  /** Quoted, with its schema. */
  readonly name: string;
  /** Its columns, without those that are generated. */
  readonly columns: string;
}

let tables: Table[] = [];

export async function noteTables(sql: Engine): Promise<void> {
  const { rows } = await sql.query<Table>(`
    SELECT format('%I.%I', n.nspname, c.relname) AS name, (
      SELECT string_agg(format('%I', attname), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    ORDER BY 1`);
  tables = rows;
}

export async function nextTransactionId(sql: Engine): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS id',
  );
  return rows[0]?.id ?? '0';
}

/** Returns what the open transaction has done, and rolls it back. */
export async function capture(sql: Engine): Promise<Version> {
  const { rows } = await sql.query<{ own: string | null; number: string | null }>(
    'SELECT pg_current_xact_id_if_assigned()::text AS own, txid_current_if_assigned()::text AS number',
  );
  const { own, number } = rows[0] ?? {};
  const changed = new Map<string, TableVersion>();
  if (own && tables.length > 0) {
    const inside = await readAll<{ row: string | null; locked: boolean }>(
      sql,
      `CASE WHEN xmin::text::bigint >= ${own} THEN it::text END AS row, contentgen_locks(xmax, ${own}) AS locked`,
    );
    await sql.exec('ROLLBACK');
    const outside = await readAll(sql, 'true AS committed');
    for (const { name } of tables) {
      const seen = inside.filter(({ table }) => table === name);
      const visible = new Set(seen.map(({ ctid }) => ctid));
      const version = {
        removed: outside.filter((row) => row.table === name && !visible.has(row.ctid)).map(ctidOf),
        added: seen.flatMap(({ row }) => row ?? []),
        locked: seen.filter(({ row, locked }) => row === null && locked).map(ctidOf),
      };
      if (Object.values(version).some(({ length }) => length > 0)) changed.set(name, version);
    }
  } else await sql.exec('ROLLBACK');
  return { tables: changed, number: number ?? undefined };
}

const ctidOf = ({ ctid }: { readonly ctid: string }): string => ctid;

async function readAll<Row>(
  sql: Engine,
  columns: string,
): Promise<(Row & { table: string; ctid: string })[]> {
  const selects = tables.map(
    ({ name }) =>
      `SELECT '${name.replaceAll("'", "''")}' AS "table", ctid::text, ${columns} FROM ONLY ${name} AS it`,
  );
  const { rows } = await sql.query(selects.join(' UNION ALL '));
  return rows as (Row & { table: string; ctid: string })[];
}

/** Does again what a transaction had done, in the open one; without triggers, which have done their part. */
export async function apply(sql: Engine, { tables: versions, number }: Version): Promise<void> {
  if (number) await sql.query("SELECT set_config('contentgen.transaction', $1, true)", [number]);
  if (versions.size === 0) return;
  await sql.exec('SET LOCAL session_replication_role = replica');
  for (const [name, { removed }] of versions) {
    if (removed.length > 0)
      await sql.query(`DELETE FROM ONLY ${name} WHERE ctid = ANY($1::text[]::tid[])`, [removed]);
  }
  for (const [name, { added, locked }] of versions) {
    const columns = tables.find((table) => table.name === name)?.columns;
    if (added.length > 0)
      await sql.query(
        `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns}
        FROM unnest(ARRAY(SELECT it::${name} FROM unnest($1::text[]) AS it))`,
        [added],
      );
    if (locked.length > 0)
      await sql.query(`SELECT FROM ONLY ${name} WHERE ctid = ANY($1::text[]::tid[]) FOR UPDATE`, [
        locked,
      ]);
  }
  await sql.exec('SET LOCAL session_replication_role = origin');
}

/** How strongly a statement holds the rows that it changes, and those that it only locks. */
export function lockModeOf(text: string): readonly [written: LockMode, locked: LockMode] {
  const [, clause = 'key share'] =
    /\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b/i.exec(text) ?? [];
  const word = clause.toLowerCase()[0] as string;
  const locked = word === 'n' ? 'n' : word === 'u' ? 'u' : word === 's' ? 's' : 'k';
  return [/\bdelete\b/i.test(text) ? 'u' : 'n', locked];
}

interface Attempt {
  readonly since: string;
  readonly text: string;
  readonly error?: unknown;
}

/** The transaction for which a statement would have had to wait. */
export async function findBlocker<H extends Holder>(
  sql: Engine,
  holders: readonly H[],
  { since, text, error }: Attempt,
): Promise<H | undefined> {
  if (error !== undefined) {
    // A key that another transaction is removing is not taken yet, and not free either.
    const { code, schema, table } = error as Record<string, string | undefined>;
    if (code !== '23505') return undefined;
    const isTable = (name: string) => name.replaceAll('"', '') === `${schema}.${table}`;
    return holders.find(({ version }) =>
      [...(version?.tables ?? [])].some(
        ([name, { removed }]) => isTable(name) && removed.length > 0,
      ),
    );
  }
  for (const holder of holders) {
    if ((await locksHeldRow(sql, holder, since, text)) || (await addsSameKey(sql, holder)))
      return holder;
  }
  return undefined;
}

async function locksHeldRow(
  sql: Engine,
  { version, removalMode, lockMode }: Holder,
  since: string,
  text: string,
): Promise<boolean> {
  const [written, locked] = lockModeOf(text);
  for (const [name, held] of version?.tables ?? []) {
    const ctids = [...held.removed, ...held.locked];
    if (ctids.length === 0) continue;
    const { rows } = await sql.query<{ ctid: string; locked: boolean }>(
      `SELECT ctid::text, contentgen_locks(xmax, ${since}) AS locked
      FROM ONLY ${name} WHERE ctid = ANY($1::text[]::tid[])`,
      [ctids],
    );
    const left = new Map(rows.map((row) => [row.ctid, row.locked]));
    const conflicts = (mode: LockMode) => (ctid: string) => {
      const isLocked = left.get(ctid);
      if (isLocked === false) return false;
      return CONFLICTS[mode].includes(isLocked ? locked : written);
    };
    if (held.removed.some(conflicts(removalMode)) || held.locked.some(conflicts(lockMode)))
      return true;
  }
  return false;
}

/** Whether what the open transaction has added and what the holder has added cannot both be committed. */
async function addsSameKey(sql: Engine, { version }: Holder): Promise<boolean> {
  if (!version || ![...version.tables.values()].some(({ added }) => added.length > 0)) return false;
  await sql.exec('SAVEPOINT contentgen_keys');
  try {
    await apply(sql, { tables: version.tables, number: undefined });
    return false;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '23505' || code === '23P01') return true;
    throw error;
  } finally {
    await sql.exec('ROLLBACK TO SAVEPOINT contentgen_keys; RELEASE SAVEPOINT contentgen_keys');
  }
}
