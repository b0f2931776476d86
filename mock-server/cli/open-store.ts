import type { MockServerOptions } from '../index.ts';
import { UsageError } from './values.ts';

export interface StoreFlags {
  readonly data: string | undefined;
  readonly fsync: boolean;
  readonly advertise: string | undefined;
}

export interface OpenStore {
  readonly store: NonNullable<MockServerOptions['store']>;
  /** Call it after closing the server. */
  close(): Promise<void> | void;
}

const CONNECT_MS = 5_000;
const SCHEMA = 'contentgen';

/** Opens what `--data` names: a file, or a PostgreSQL database. */
export async function openStore(flags: StoreFlags): Promise<OpenStore | undefined> {
  const { data, fsync, advertise } = flags;
  if (data === undefined) {
    if (fsync) throw new UsageError('--fsync needs --data.');
    if (advertise !== undefined) throw new UsageError('--advertise needs --data postgres://…');
    return undefined;
  }
  if (isDatabaseUrl(data)) {
    if (fsync)
      throw new UsageError('--fsync applies only to a data file; PostgreSQL has its own setting.');
    return openDatabase(data, advertise);
  }
  if (advertise !== undefined) throw new UsageError('--advertise needs --data postgres://…');
  return openFile(data, fsync);
}

const isDatabaseUrl = (data: string): boolean => /^postgres(?:ql)?:\/\//.test(data);

/** The same text without the password of a database URL. */
export function withoutPassword(data: string): string {
  if (!/^\w+:\/\//.test(data) || !URL.canParse(data)) return data;
  const url = new URL(data);
  if (url.password) url.password = '***';
  url.search = '';
  return url.href;
}

async function openFile(path: string, fsync: boolean): Promise<OpenStore> {
  const { sqliteStore, DataFileError } = await import('../http/serve.ts');
  try {
    const store = sqliteStore(path, { fsync });
    return { store, close: () => store.close() };
  } catch (error) {
    throw error instanceof DataFileError ? new UsageError(error.message) : error;
  }
}

async function openDatabase(data: string, advertise: string | undefined): Promise<OpenStore> {
  const [{ default: pg }, { postgresStore }, { checkDatabase }] = await Promise.all([
    import('pg'),
    import('../stores/postgres.ts'),
    import('../stores/postgres/schema.ts'),
  ]);
  const pool = new pg.Pool({
    connectionString: data,
    application_name: 'contentgen mock',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    max: 2,
  });
  // The store reports the errors of the connection that it uses; the pool replaces broken idle ones.
  pool.on('error', () => {});
  try {
    await checkDatabase(pool, SCHEMA, CONNECT_MS);
  } catch (error) {
    await pool.end();
    const reason = (error as Error).message || (error as { code?: string }).code;
    throw new UsageError(`Failed to use ${withoutPassword(data)}: ${reason}`);
  }
  return {
    store: postgresStore(pool, {
      schema: SCHEMA,
      ...(advertise !== undefined && { url: advertise }),
    }),
    close: () => pool.end(),
  };
}
