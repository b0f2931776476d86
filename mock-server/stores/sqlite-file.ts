import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** "cgen", the mark of our files in SQLite's header. */
const APPLICATION_ID = 0x6367656e;
const HEADER_BYTES = 100;
const SQLITE_BUSY = 5;

export type DataFileErrorCode =
  | 'unsupported_runtime'
  | 'foreign'
  | 'newer'
  | 'damaged'
  | 'in_use'
  | 'unusable';

/** Why a data file cannot be used. The file is as it was before. */
export class DataFileError extends Error {
  readonly code: DataFileErrorCode;

  constructor(code: DataFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataFileError';
    this.code = code;
  }
}

/** One step from a schema version to the next. */
export type Migration = (db: DatabaseSync) => void;

type Sqlite = typeof import('node:sqlite');

/** Loaded when a data file is asked for; the warning that it is experimental is no news to our users. */
function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (sqlite) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new DataFileError(
    'unsupported_runtime',
    `A data file needs Node 22.13 or newer, this is ${process.versions.node}. Leave --data out to keep everything in memory.`,
  );
}

function codeOf(error: unknown): number | undefined {
  return (error as { errcode?: number }).errcode;
}

function readHeader(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const length = readSync(file, header, 0, HEADER_BYTES, 0);
    return length === 0 ? undefined : header.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Looks at the first bytes alone: a file that is not ours is never opened by SQLite, which might recover it. */
function identify(path: string, newest: number): 'new' | 'ours' {
  const header = readHeader(path);
  if (!header) return 'new';
  const ours =
    header.length === HEADER_BYTES &&
    header.toString('latin1', 0, 16) === 'SQLite format 3\0' &&
    header.readUInt32BE(68) === APPLICATION_ID;
  if (!ours) {
    throw new DataFileError(
      'foreign',
      `${path} is not a contentgen data file and was left untouched. Name another file.`,
    );
  }
  const version = header.readUInt32BE(60);
  if (version > newest) {
    throw new DataFileError(
      'newer',
      `${path} has schema version ${version}, this contentgen knows ${newest}; it was left untouched. Update contentgen or name another file.`,
    );
  }
  return 'ours';
}

function damaged(path: string, cause?: unknown): DataFileError {
  return new DataFileError(
    'damaged',
    `${path} is damaged and was left untouched. Restore a copy of it or name another file.`,
    { cause },
  );
}

function translate(path: string, error: unknown): never {
  if (error instanceof DataFileError) throw error;
  const code = codeOf(error);
  if (code === SQLITE_BUSY) {
    throw new DataFileError('in_use', `${path} is in use by another process.`, { cause: error });
  }
  // SQLITE_CORRUPT, SQLITE_NOTADB
  if (code === 11 || code === 26) throw damaged(path, error);
  const reason = error instanceof Error ? error.message : String(error);
  throw new DataFileError('unusable', `Failed to open ${path}: ${reason}.`, { cause: error });
}

/** Read-only, so that neither recovery nor the checkpoint of a close can change a damaged file. */
function check(sqlite: Sqlite, path: string): void {
  const made = [`${path}-shm`, `${path}-wal`].filter((name) => !existsSync(name));
  const db = new sqlite.DatabaseSync(path, { readOnly: true });
  try {
    const verdict = db.prepare('PRAGMA quick_check(1)').get();
    if (verdict?.['quick_check'] !== 'ok') throw damaged(path);
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    for (const { name } of tables) {
      if (db.prepare(`SELECT 1 FROM "${name}" WHERE NOT json_valid(row) LIMIT 1`).get()) {
        throw damaged(path);
      }
    }
  } finally {
    db.close();
    for (const name of made) rmSync(name, { force: true });
  }
}

/** All steps in one transaction: a step that fails leaves the version that was. */
function migrate(db: DatabaseSync, migrations: readonly Migration[]): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version === migrations.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(version)) step(db);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

export interface DataFileOptions {
  /** Survives a power cut as well, at the price of one disk flush a commit. @default false */
  readonly fsync?: boolean;
}

/**
 * Opens or makes a file of ours at the newest schema version, for this process alone.
 *
 * @throws DataFileError
 */
export function openDataFile(
  path: string,
  migrations: readonly Migration[],
  options: DataFileOptions = {},
): DatabaseSync {
  const sqlite = loadSqlite();
  let db: DatabaseSync | undefined;
  try {
    if (identify(path, migrations.length) === 'ours') check(sqlite, path);
    // It holds signing secrets: nobody else's to read.
    else closeSync(openSync(path, 'a', 0o600));
    db = new sqlite.DatabaseSync(path);
    // The mark is written before WAL is on, so that it is in the file's own first page from the start.
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    migrate(db, migrations);
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(`PRAGMA synchronous = ${options.fsync ? 'FULL' : 'NORMAL'}`);
    return db;
  } catch (error) {
    db?.close();
    return translate(path, error);
  }
}
