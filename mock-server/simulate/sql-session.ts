import type { Disk } from './disk.ts';
import type { DiskGate } from './disk-store.ts';
import type { Simulation } from './simulation.ts';
import { MissingPeerError } from './simulation-error.ts';

/** The result of a statement, with the names that `pg` gives it. */
export interface SqlResult<Row = Record<string, unknown>> {
  /** The rows that it returned. */
  readonly rows: Row[];
  /** How many rows it returned or changed. */
  readonly rowCount: number;
}

/** The SQL database of one run. It has a single session, so only one transaction can be open at a time. */
export class SqlSession {
  readonly #simulation: Simulation;
  readonly #seed: number;
  readonly #schemas = new Set<string>();
  #ready: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** The connection whose transaction is open. */
  #holder: object | undefined;
  /** The instance of the holder has crashed. */
  #isAbandoned = false;

  constructor(simulation: Simulation, seed: number) {
    this.#simulation = simulation;
    this.#seed = seed;
  }

  /** Whether this connection can run a statement. */
  isFreeFor(connection: object): boolean {
    return this.#holder === undefined || this.#holder === connection;
  }

  holds(connection: object): boolean {
    return this.#holder === connection;
  }

  get isObserved(): boolean {
    return this.#simulation.observing;
  }

  /** Creates the tables, once per run. */
  open(schema: string): Promise<void> {
    return this.#exclusively(async () => {
      if (schema === '' || this.#schemas.has(schema)) return;
      await (await sqlEngine()).exec(schema);
      this.#schemas.add(schema);
    });
  }

  /** Runs a statement. A transaction that it begins belongs to the connection. */
  run(connection: object, text: string, params: readonly unknown[]): Promise<SqlResult> {
    return this.#exclusively(async () => {
      const sql = await sqlEngine();
      try {
        if (params.length > 0) return resultOf(await sql.query(text, params.map(toParameter)));
        return resultOf((await sql.exec(text)).at(-1));
      } finally {
        this.#hold(sql.isInTransaction() ? connection : undefined);
      }
    });
  }

  /** Rolls back what this connection has begun. */
  abandon(connection: object): void {
    if (this.#holder !== connection) return;
    this.#isAbandoned = true;
    this.#hold(undefined);
  }

  #hold(connection: object | undefined): void {
    const wasHeld = this.#holder !== undefined;
    this.#holder = connection;
    this.#simulation.inTransaction = connection !== undefined;
    if (wasHeld && connection === undefined) this.#simulation.unpark();
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      this.#ready ??= sqlEngine().then((sql) => emptyEngine(sql, this.#seed));
      await this.#ready;
      return atTime(this.#simulation.now, async () => {
        if (this.#isAbandoned) await (await sqlEngine()).exec('ROLLBACK');
        this.#isAbandoned = false;
        return work();
      });
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
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

type Engine = import('@electric-sql/pglite').PGlite;

/** The type of a 64-bit integer, which pg returns as text. */
const INT8 = 20;

/**
 * Takes UUIDs from the seed, where PostgreSQL would take them from the operating system, and counts transactions from
 * the start of the run, where PostgreSQL would count those of earlier runs too.
 */
const REPEATABLE = `
SET allow_system_table_mods = on;
CREATE OR REPLACE FUNCTION pg_catalog.gen_random_uuid() RETURNS uuid VOLATILE LANGUAGE sql AS $$
  SELECT overlay(overlay(md5(random()::text || random()::text) placing '4' from 13)
    placing to_hex(8 + floor(random() * 4)::int) from 17)::uuid
$$;
CREATE OR REPLACE FUNCTION pg_catalog.txid_current() RETURNS bigint STABLE LANGUAGE sql AS $$
  SELECT pg_current_xact_id()::text::bigint
    - coalesce(nullif(current_setting('contentgen.start', true), ''), '0')::bigint
$$;
CREATE OR REPLACE FUNCTION pg_catalog.txid_current_if_assigned() RETURNS bigint STABLE LANGUAGE sql AS $$
  SELECT pg_current_xact_id_if_assigned()::text::bigint
    - coalesce(nullif(current_setting('contentgen.start', true), ''), '0')::bigint
$$;
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

/** Loads and starts PostgreSQL the first time. */
function sqlEngine(): Promise<Engine> {
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
async function emptyEngine(sql: Engine, seed: number): Promise<void> {
  if (sql.isInTransaction()) await sql.exec('ROLLBACK');
  for (const statement of EMPTY) await sql.exec(statement);
  await sql.exec("SELECT set_config('contentgen.start', pg_current_xact_id()::text, false)");
  await sql.query('SELECT setseed($1)', [(seed % 1_000_003) / 1_000_003]);
}

/** Makes the database read this clock while `work` runs. */
async function atTime<T>(now: () => number, work: () => Promise<T>): Promise<T> {
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

/** How an instance reaches the SQL database of its run. */
export interface SqlAccess {
  readonly session: SqlSession;
  readonly gate: DiskGate;
}

const accesses = new WeakMap<Disk, SqlAccess>();

export function registerSql(disk: Disk, access: SqlAccess): void {
  accesses.set(disk, access);
}

/** @throws TypeError if it is not the disk of a simulation */
export function sqlAccessOf(disk: Disk): SqlAccess {
  const access = accesses.get(disk);
  if (access) return access;
  throw new TypeError('sqlDisk expects the disk of the context that simulate passes to app.');
}
