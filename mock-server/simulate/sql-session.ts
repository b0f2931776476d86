import { settled } from './crash-points.ts';
import type { Disk } from './disk.ts';
import type { DiskGate } from './disk-store.ts';
import type { Simulation } from './simulation.ts';
import {
  atTime,
  type Engine,
  emptyEngine,
  execute,
  raise,
  type SqlResult,
  sqlEngine,
} from './sql-engine.ts';
import {
  apply,
  capture,
  findBlocker,
  type LockMode,
  lockModeOf,
  nextTransactionId,
  noteTables,
  type Version,
} from './sql-versions.ts';

/** A transaction that is open for this long has been forgotten. */
const OLD_MS = 900_000;

/** Returned for a statement that has to wait for another transaction; it changed nothing. */
export const WAITS = Symbol('waits');

interface Transaction {
  readonly connection: object;
  readonly beganAt: number;
  /** At REPEATABLE READ or SERIALIZABLE, nothing else runs before it ends or waits. */
  isSerial: boolean;
  /** It holds what cannot be put aside, such as a savepoint or an advisory lock: nothing else runs before it ends. */
  isPinned: boolean;
  /** A statement failed: only ROLLBACK is left. */
  hasFailed: boolean;
  hasCommitted: boolean;
  /** What it has written and locked, once it has been put aside. */
  version: Version | undefined;
  readonly settings: string[];
  removalMode: LockMode;
  lockMode: LockMode;
}

const BEGINS = /^\s*(begin|start\s+transaction)\b/i;
const ENDS = /^\s*(commit|end|abort|rollback)\b(?!\s+(work\s+|transaction\s+)?to\b)/i;
const SEVERAL = /\b(begin|commit|rollback)\b[^;]*;\s*\S|;\s*(begin|commit|rollback)\b/i;
const SERIAL = /\b(repeatable\s+read|serializable)\b/i;
const PINS =
  /^\s*(savepoint|release|rollback|lock|declare|create|alter|drop|truncate|copy)\b|\bpg_(try_)?advisory_xact/i;
const SESSION_LOCK = /\bpg_(try_)?advisory_(un)?lock/i;
const DDL = /\b(create|alter|drop)\b/i;

/**
 * The SQL database of one run. PGlite has a single session; so when another connection has its turn, the open
 * transaction is rolled back, and what it had written and locked is put aside and applied again later. Statements
 * interleave as at READ COMMITTED: each sees what is committed and its own writes, and waits for a row that another
 * transaction holds.
 */
export class SqlSession {
  readonly #simulation: Simulation;
  readonly #seed: number;
  readonly #schemas = new Set<string>();
  #ready: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #open = new Map<object, Transaction>();
  /** Which transaction a connection waits for. */
  readonly #waiting = new Map<object, Transaction>();
  /** The transaction that is open in PGlite. */
  #live: Transaction | undefined;

  constructor(simulation: Simulation, seed: number) {
    this.#simulation = simulation;
    this.#seed = seed;
  }

  /** Whether this connection can run the statement now, as far as can be said before. */
  canRun(connection: object, text: string): boolean {
    const others = [...this.#open.values()].filter((one) => one.connection !== connection);
    const blocker = this.#waiting.get(connection);
    if (blocker && others.includes(blocker)) return false;
    if (others.length > 0 && SEVERAL.test(text)) return false;
    return !others.some((one) => this.#isAlone(one));
  }

  #isAlone({ isPinned, isSerial, connection }: Transaction): boolean {
    return (isPinned || isSerial) && !this.#waiting.has(connection);
  }

  #noteTaken(): void {
    this.#simulation.isSqlTaken = [...this.#open.values()].some((one) => this.#isAlone(one));
  }

  /** A check reads what is committed. At the end, nothing may be left open. */
  #assertEnded(): void {
    const { now, isSqlTaken } = this.#simulation;
    const isOld = ({ beganAt }: Transaction) => now() - beganAt > OLD_MS;
    if (isSqlTaken || [...this.#open.values()].some(isOld))
      throw new Error('A transaction is still open: it was neither committed nor rolled back.');
  }

  holds(connection: object): boolean {
    return this.#open.has(connection);
  }

  open(schema: string): Promise<void> {
    return this.#exclusively(async (sql) => {
      if (schema === '' || this.#schemas.has(schema)) return;
      await this.#switchTo(sql, undefined);
      await sql.exec(schema);
      await noteTables(sql);
      this.#schemas.add(schema);
    });
  }

  /** Runs a statement. A transaction that it begins belongs to the connection. */
  run(
    connection: object,
    text: string,
    params: readonly unknown[],
  ): Promise<SqlResult | typeof WAITS> {
    return this.#exclusively(async (sql) => {
      if (this.#simulation.observing) this.#assertEnded();
      const own = this.#open.get(connection);
      await this.#switchTo(sql, own);
      const blocker = this.#waiting.get(connection);
      this.#waiting.delete(connection);
      try {
        if (SESSION_LOCK.test(text)) throw new Error(NO_SESSION_LOCKS);
        if (own?.isSerial && blocker?.hasCommitted)
          await raise(sql, '40001', 'could not serialize access due to concurrent update');
        if (own && !own.hasFailed) await this.#injectFault(sql, text);
        const result = await this.#checked(sql, connection, text, params);
        if (own) own.hasFailed = false;
        if (result !== WAITS && result.rowCount > 0 && !/^\s*(select|show)\b/i.test(text))
          this.#simulation.changed();
        return result;
      } catch (error) {
        if (own) own.hasFailed = true;
        throw error;
      } finally {
        if (DDL.test(text)) await noteTables(sql).catch(() => {});
        this.#note(sql, connection, text);
        this.#noteTaken();
      }
    });
  }

  /** @throws An error as `pg` rejects with it when the pool has no connection left. */
  assertFree(): void {
    if (this.#chooses('sql.connect', 1)) throw new Error(FULL_POOL);
  }

  async #injectFault(sql: Engine, text: string): Promise<void> {
    if (/^\s*(commit|end)\b/i.test(text)) {
      const fault = this.#chooses('sql.commit', 2);
      if (fault === 0) return;
      await sql.exec(fault === 1 ? 'ROLLBACK' : text);
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' });
    }
    if (ENDS.test(text)) return;
    const fault = this.#chooses('sql.statement', 2);
    if (fault === 1)
      await raise(sql, '40001', 'could not serialize access due to concurrent update');
    if (fault === 2) await raise(sql, '40P01', 'deadlock detected');
  }

  /** Returns the number of the fault that happens, counted from 1, or 0. */
  #chooses(where: string, kinds: number): number {
    const { choices, chaos, observing, trace } = this.#simulation;
    if (observing) return 0;
    const fault = choices.weighted(
      `database ${where}`,
      new Array(kinds).fill(chaos.database / kinds),
    );
    if (fault === 0) return 0;
    this.#simulation.injected('database', where);
    trace.fault('database', `fails at ${where}`);
    return fault;
  }

  abandon(connection: object): void {
    this.#waiting.delete(connection);
    if (this.#open.delete(connection)) this.#simulation.unpark();
    this.#noteTaken();
  }

  /** Runs a statement; if it touched what another transaction holds, as if it had not run. */
  async #checked(
    sql: Engine,
    connection: object,
    text: string,
    params: readonly unknown[],
  ): Promise<SqlResult | typeof WAITS> {
    const own = this.#open.get(connection);
    const holders = [...this.#open.values()].filter((one) => one !== own && one.version);
    const isControl = BEGINS.test(text) || ENDS.test(text) || SEVERAL.test(text);
    if (
      holders.length === 0 ||
      isControl ||
      own?.hasFailed ||
      /^\s*(savepoint|release|rollback)/i.test(text)
    )
      return execute(sql, text, params);
    if (!own) await sql.exec('BEGIN');
    await sql.exec('SAVEPOINT contentgen');
    try {
      const since = await nextTransactionId(sql);
      const done = await settled(execute(sql, text, params));
      const blocker = await findBlocker(sql, holders, { since, text, ...done });
      if (!blocker) {
        if ('error' in done) throw done.error;
        await sql.exec('RELEASE SAVEPOINT contentgen');
        if (!own) await sql.exec('COMMIT');
        return done.result;
      }
      await sql.exec('ROLLBACK TO SAVEPOINT contentgen; RELEASE SAVEPOINT contentgen');
      if (/\bnowait\b/i.test(text)) await raise(sql, '55P03', 'could not obtain lock on row');
      if (own?.isPinned || this.#waitsFor(blocker, own))
        await raise(sql, '40P01', 'deadlock detected');
      this.#waiting.set(connection, blocker);
      this.#simulation.trace.add('database', 'the statement waits for another transaction');
      // What has the database to itself goes on once it waits.
      this.#simulation.unpark();
      if (!own) await sql.exec('ROLLBACK');
      return WAITS;
    } catch (error) {
      if (!own) await sql.exec('ROLLBACK');
      throw error;
    }
  }

  #waitsFor(blocker: Transaction, own: Transaction | undefined): boolean {
    let next: Transaction | undefined = blocker;
    while (next && next !== own) next = this.#waiting.get(next.connection);
    return own !== undefined && next === own;
  }

  /** Puts the open transaction aside, and continues this one. */
  async #switchTo(sql: Engine, next: Transaction | undefined): Promise<void> {
    const last = this.#live;
    if (last === next) return;
    this.#live = undefined;
    if (last && this.#open.get(last.connection) === last && !last.hasFailed)
      last.version = await capture(sql);
    else if (last) await sql.exec('ROLLBACK');
    if (!next) return;
    this.#live = next;
    await this.#begin(sql, next);
    next.version = undefined;
    if (next.hasFailed) await raise(sql, '25P02', 'aborted').catch(() => {});
  }

  async #begin(sql: Engine, { beganAt, settings, version }: Transaction): Promise<void> {
    await atTime(
      () => beganAt,
      () => sql.exec('BEGIN').then(() => undefined),
    );
    for (const setting of settings) await sql.exec(setting);
    if (version) await apply(sql, version);
  }

  /** Notes what the statement began, ended or holds. */
  #note(sql: Engine, connection: object, text: string): void {
    const own = this.#open.get(connection);
    if (!sql.isInTransaction()) {
      if (own) own.hasCommitted = /^\s*(commit|end)\b/i.test(text) && !own.hasFailed;
      this.#live = undefined;
      this.abandon(connection);
      return;
    }
    const transaction: Transaction = own ?? {
      connection,
      beganAt: this.#simulation.now(),
      isSerial: false,
      isPinned: false,
      hasFailed: false,
      hasCommitted: false,
      version: undefined,
      settings: [],
      removalMode: 'n',
      lockMode: 'k',
    };
    this.#open.set(connection, transaction);
    this.#live = transaction;
    const [written, locked] = lockModeOf(text);
    if (written === 'u') transaction.removalMode = written;
    if (locked !== 'k') transaction.lockMode = locked;
    if (SERIAL.test(text)) transaction.isSerial = true;
    else if (/^\s*set\b/i.test(text)) transaction.settings.push(text);
    if (PINS.test(text) || (SEVERAL.test(text) && !own)) transaction.isPinned = true;
  }

  #exclusively<T>(work: (sql: Engine) => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      const sql = await sqlEngine();
      this.#ready ??= emptyEngine(sql, this.#seed).then(() => noteTables(sql));
      await this.#ready;
      return atTime(this.#simulation.now, () => work(sql));
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

const FULL_POOL = 'timeout exceeded when trying to connect';
const NO_SESSION_LOCKS =
  'sqlDisk has no advisory locks of a session. Use pg_advisory_xact_lock in a transaction.';

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
