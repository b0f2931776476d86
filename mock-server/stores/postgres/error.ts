/** Thrown or reported when the database cannot be used. The tables are left unchanged. */
export class PostgresStoreError extends Error {
  /** Always `PostgresStoreError`. */
  override readonly name = 'PostgresStoreError';
  /**
   * `newer`: a later version wrote the tables; `encoding`: the database is not in UTF-8; `pooler`: a pooler switches
   * sessions; `unavailable`: a connection failed or ended, and the process retries.
   */
  readonly code: 'newer' | 'encoding' | 'pooler' | 'unavailable';

  constructor(code: PostgresStoreError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The lock of a leader belongs to a session, which a pooler could give to another process. */
export function poolerError(options?: ErrorOptions): PostgresStoreError {
  return new PostgresStoreError(
    'pooler',
    'A pooler spreads the statements of one connection over several sessions. Connect to PostgreSQL directly, or through a pooler in session mode.',
    options,
  );
}
