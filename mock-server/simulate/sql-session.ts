import type { Simulation } from './simulation.ts';
import { atTime, emptyEngine, sqlEngine } from './sql-engine.ts';

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
      this.#ready ??= this.#begin();
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

  async #begin(): Promise<void> {
    await emptyEngine(await sqlEngine(), this.#seed);
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
