import { closeSync, existsSync, openSync, readSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { closeFilesToOthers, OWNER_ONLY } from './close-to-others.ts';
import { CREATE_TABLE, findDamage } from './sqlite-rows.ts';

/** "cgen": the application id that marks our files in SQLite's header. */
const APPLICATION_ID = 0x6367656e;
/** A file with another number was written by another version of contentgen. */
const SCHEMA_VERSION = 1;
const HEADER_BYTES = 100;
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
/** What SQLite needs to open a file: its index of the write-ahead log. */
const LEAST_FREE_BYTES = 64 * 1024;

export type DataFileErrorCode =
  | 'unsupported_runtime'
  | 'foreign'
  | 'newer'
  | 'damaged'
  | 'in_use'
  | 'unusable'
  | 'unsaved';

/** Thrown when a data file cannot be used or written. The file is left unchanged. */
export class DataFileError extends Error {
  /** What is wrong with the file. */
  readonly code: DataFileErrorCode;

  constructor(code: DataFileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'DataFileError';
    this.code = code;
  }
}

/** A commit failed, for instance because the disk is full. */
export function unsaved(path: string, cause: unknown): DataFileError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DataFileError(
    'unsaved',
    `Failed to save to ${path}: ${reason}. Free up space on its disk. The next change will also save this one.`,
    { cause },
  );
}

type Sqlite = typeof import('node:sqlite');

/** Loaded only when a data file is used, without Node's warning that the module is experimental. */
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
    `A data file needs Node 22.13 or later; this is ${process.versions.node}. Update Node, or omit --data to keep everything in memory.`,
  );
}

function codeOf(error: unknown): number | undefined {
  return (error as { errcode?: number }).errcode;
}

function readHeader(path: string): Buffer | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile()) {
    throw new DataFileError('foreign', `${path} is not a file. Choose another path.`);
  }
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const length = readSync(file, header, 0, HEADER_BYTES, 0);
    return length === 0 ? undefined : header.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Reads only the first bytes, so that SQLite never opens a file that is not ours and tries to recover it. */
function identify(path: string): 'new' | 'ours' {
  const header = readHeader(path);
  if (!header) return 'new';
  const ours =
    header.length === HEADER_BYTES &&
    header.toString('latin1', 0, 16) === 'SQLite format 3\0' &&
    header.readUInt32BE(68) === APPLICATION_ID;
  if (!ours) {
    throw new DataFileError(
      'foreign',
      `${path} is not a contentgen data file. It was left untouched. Choose another path.`,
    );
  }
  assertSupported(path, header.readUInt32BE(60));
  return 'ours';
}

function assertSupported(path: string, version: number): void {
  if (version === SCHEMA_VERSION) return;
  throw new DataFileError(
    'newer',
    `${path} has schema version ${version}, but this version of contentgen supports only ${SCHEMA_VERSION}. It was left untouched. Update contentgen or choose another path.`,
  );
}

function damaged(path: string, what: string, cause?: unknown): DataFileError {
  return new DataFileError(
    'damaged',
    `${path} is damaged: ${what}. It was left untouched. Restore a backup or choose another path.`,
    { cause },
  );
}

function rethrow(path: string, error: unknown): never {
  if (error instanceof DataFileError) throw error;
  const code = codeOf(error);
  if (code === SQLITE_BUSY) {
    throw new DataFileError(
      'in_use',
      `${path} is in use by another process. Stop that process or choose another path.`,
      { cause: error },
    );
  }
  if (isDiskFull(path, error)) {
    throw new DataFileError(
      'unusable',
      `Failed to open ${path}: its disk is full. Free up space on it, then start again.`,
      { cause: error },
    );
  }
  // SQLITE_CORRUPT, SQLITE_NOTADB
  if (code === 11 || code === 26) throw damaged(path, 'parts of it cannot be read', error);
  const reason = error instanceof Error ? error.message : String(error);
  throw new DataFileError('unusable', `Failed to open ${path}: ${reason}.`, { cause: error });
}

/** SQLite reports some writes to a full disk as an I/O error. */
function isDiskFull(path: string, error: unknown): boolean {
  const code = codeOf(error) ?? 0;
  if (code === SQLITE_FULL || (error as NodeJS.ErrnoException).code === 'ENOSPC') return true;
  if (code % 256 !== SQLITE_IOERR) return false;
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < LEAST_FREE_BYTES;
}

/** Opens the file read-only, so that neither recovery nor the checkpoint on closing can change a damaged one. */
function check(sqlite: Sqlite, path: string): void {
  const created = [`${path}-shm`, `${path}-wal`].filter((name) => !existsSync(name));
  const db = new sqlite.DatabaseSync(path, { readOnly: true });
  try {
    // A process of a newer version can have been killed while the number was only in its write-ahead log.
    const { user_version } = db.prepare('PRAGMA user_version').get() ?? {};
    assertSupported(path, Number(user_version));
    const damage = findDamage(db);
    if (damage) throw damaged(path, damage);
  } finally {
    db.close();
    for (const name of created) rmSync(name, { force: true });
  }
}

/**
 * Opens a data file for exclusive use by this process. `warn` is called if others might be able to read the file.
 *
 * @throws DataFileError
 */
export function openDataFile(
  path: string,
  warn: (sentence: string) => void = console.warn,
): DatabaseSync {
  const sqlite = loadSqlite();
  let db: DatabaseSync | undefined;
  try {
    const isNew = identify(path) === 'new';
    if (isNew) closeSync(openSync(path, 'a', OWNER_ONLY));
    else check(sqlite, path);
    // Signing secrets are in both. SQLite makes a log with the mode of the file.
    closeFilesToOthers([path, `${path}-wal`], warn);
    db = new sqlite.DatabaseSync(path);
    // For new files. Rows of 1 kB cost a third less to write than with SQLite's default of 4 KiB.
    db.exec('PRAGMA page_size = 8192');
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    if (isNew) {
      db.exec(CREATE_TABLE);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    }
    db.exec('COMMIT');
    // Only now, so that the application id is in the file's own first page from the start.
    db.exec('PRAGMA journal_mode = WAL');
    // Survives a killed process. A flush per commit would survive a power failure too.
    db.exec('PRAGMA synchronous = NORMAL');
    return db;
  } catch (error) {
    db?.close();
    return rethrow(path, error);
  }
}
