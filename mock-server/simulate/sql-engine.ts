import { MissingPeerError } from './simulation-error.ts';

/** The result of a statement, with the names that `pg` gives it. */
export interface SqlResult<Row = Record<string, unknown>> {
  /** The rows that it returned. */
  readonly rows: Row[];
  /** How many rows it returned or changed. */
  readonly rowCount: number;
}

export async function execute(
  sql: Engine,
  text: string,
  params: readonly unknown[],
): Promise<SqlResult> {
  if (params.length > 0) return resultOf(await sql.query(text, params.map(toParameter)));
  return resultOf((await sql.exec(text)).at(-1));
}

/** Makes PostgreSQL itself fail with this code, which ends a transaction as any other error does. */
export function raise(sql: Engine, code: string, message: string): Promise<never> {
  return sql
    .exec(`DO $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '${code}'; END $$`)
    .then(() => Promise.reject(new Error(message)));
}

function resultOf(
  result: { readonly rows: unknown[]; readonly affectedRows?: number } | undefined,
): SqlResult {
  const rows = (result?.rows ?? []) as Record<string, unknown>[];
  return { rows, rowCount: rows.length || (result?.affectedRows ?? 0) };
}

/** As `pg` sends it. */
function toParameter(value: unknown): unknown {
  if (value === undefined) return null;
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isPlain || value instanceof Date || ArrayBuffer.isView(value)) return value;
  return JSON.stringify(value);
}

export type Engine = import('@electric-sql/pglite').PGlite;

/** The type of a 64-bit integer, which pg returns as text. */
const INT8 = 20;

/**
 * Takes UUIDs from the seed, where PostgreSQL would take them from the operating system, and counts transactions from
 * the start of the run, where PostgreSQL would count those of earlier runs too. A transaction that was put aside keeps
 * its number. A row that one transaction has locked twice names a list of lockers.
 */
const REPEATABLE = `
SET allow_system_table_mods = on;
CREATE OR REPLACE FUNCTION pg_catalog.gen_random_uuid() RETURNS uuid VOLATILE LANGUAGE sql AS $$
  SELECT overlay(overlay(md5(random()::text || random()::text) placing '4' from 13)
    placing to_hex(8 + floor(random() * 4)::int) from 17)::uuid
$$;
CREATE OR REPLACE FUNCTION pg_catalog.txid_current() RETURNS bigint STABLE LANGUAGE sql AS $$
  SELECT coalesce(nullif(current_setting('contentgen.transaction', true), '')::bigint,
    pg_current_xact_id()::text::bigint
    - coalesce(nullif(current_setting('contentgen.start', true), ''), '0')::bigint)
$$;
CREATE OR REPLACE FUNCTION pg_catalog.txid_current_if_assigned() RETURNS bigint STABLE LANGUAGE sql AS $$
  SELECT coalesce(nullif(current_setting('contentgen.transaction', true), '')::bigint,
    pg_current_xact_id_if_assigned()::text::bigint
    - coalesce(nullif(current_setting('contentgen.start', true), ''), '0')::bigint)
$$;
CREATE FUNCTION pg_catalog.contentgen_locks(locker xid, since bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF locker::text::bigint >= since THEN RETURN pg_xact_status(locker::text::xid8) <> 'aborted'; END IF;
  RETURN locker::text <> '0' AND EXISTS (SELECT FROM pg_get_multixact_members(locker) m
    WHERE m.xid::text::bigint >= since AND pg_xact_status(m.xid::text::xid8) <> 'aborted');
EXCEPTION WHEN OTHERS THEN RETURN false;
END $$;
RESET allow_system_table_mods;`;

const EMPTY = [
  'DISCARD ALL',
  `DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT nspname FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
    LOOP EXECUTE format('DROP SCHEMA %I CASCADE', name); END LOOP;
  END $$`,
  'CREATE SCHEMA public',
];

const RealDate = globalThis.Date;

/** One PostgreSQL for all runs: emptying it is far cheaper than starting another one. */
let engine: Promise<Engine> | undefined;

export function sqlEngine(): Promise<Engine> {
  engine ??= start();
  return engine;
}

async function start(): Promise<Engine> {
  const { PGlite } = await load();
  const started = await PGlite.create({ parsers: { [INT8]: String } });
  await started.exec(REPEATABLE);
  return started;
}

async function load(): Promise<typeof import('@electric-sql/pglite')> {
  const needed = '@electric-sql/pglite 0.4 or later';
  const loaded = await import('@electric-sql/pglite').catch((cause: unknown) => {
    throw new MissingPeerError('sqlDisk', needed, cause);
  });
  // A method that 0.4 added. Older databases cannot be emptied between runs.
  if ('execProtocolRawStream' in loaded.PGlite.prototype) return loaded;
  throw new MissingPeerError('sqlDisk', needed);
}

/** Leaves an empty database, with random numbers from the seed. */
export async function emptyEngine(sql: Engine, seed: number): Promise<void> {
  if (sql.isInTransaction()) await sql.exec('ROLLBACK');
  for (const statement of EMPTY) await sql.exec(statement);
  await sql.exec("SELECT set_config('contentgen.start', pg_current_xact_id()::text, false)");
  await sql.query('SELECT setseed($1)', [(seed % 1_000_003) / 1_000_003]);
}

/** Makes the database read this clock while `work` runs. */
export async function atTime<T>(now: () => number, work: () => Promise<T>): Promise<T> {
  const outer = globalThis.Date;
  globalThis.Date = new Proxy(RealDate, {
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  try {
    return await work();
  } finally {
    globalThis.Date = outer;
  }
}
