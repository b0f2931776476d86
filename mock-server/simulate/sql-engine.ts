import { MissingPeerError } from './simulation-error.ts';

type Engine = import('@electric-sql/pglite').PGlite;

/** The type of a 64-bit integer, which pg returns as text. */
const INT8 = 20;

/** Takes UUIDs from the seed. PostgreSQL's own function would take them from the operating system. */
const SEEDED_IDS = `
SET allow_system_table_mods = on;
CREATE OR REPLACE FUNCTION pg_catalog.gen_random_uuid() RETURNS uuid VOLATILE LANGUAGE sql AS $$
  SELECT overlay(overlay(md5(random()::text || random()::text) placing '4' from 13)
    placing to_hex(8 + floor(random() * 4)::int) from 17)::uuid
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
export function sqlEngine(): Promise<Engine> {
  engine ??= start();
  return engine;
}

async function start(): Promise<Engine> {
  const { PGlite } = await load();
  const started = await PGlite.create({ parsers: { [INT8]: String } });
  await started.exec(SEEDED_IDS);
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
