import { misconfigured } from '../../signing/errors.ts';
import type { SqlQuery } from './lease-times.ts';
import { postgresDdl, quoteIndex, quoteTable } from './postgres-table.ts';

/** Error codes of PostgreSQL. */
const undefinedTable = '42P01';
const insufficientPrivilege = '42501';
const invalidSchemaName = '3F000';
const lockNotAvailable = '55P03';

/** Whether a statement failed because its table does not exist. Some clients wrap the error of PostgreSQL. */
export function isTableMissing(error: unknown): boolean {
  const { message, cause } = Object(error) as { message?: unknown; cause?: unknown };
  const [, relation = ''] = String(message).split('relation ', 2);
  if (codeOf(error) === undefinedTable || relation.includes(' does not exist')) return true;
  return cause !== undefined && isTableMissing(cause);
}

export function isLocked(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return codeOf(error) === lockNotAvailable || (cause !== undefined && isLocked(cause));
}

const codeOf = (error: unknown) => (Object(error) as { code?: unknown }).code;

/**
 * `IF NOT EXISTS` only sees what is committed, so concurrent CREATE TABLEs collide in the catalog. They wait for each
 * other through an advisory lock, in one statement because a pool can send each statement over another connection. A
 * concurrent migration does not take that lock, hence the second try. If the table exists, nothing is locked and no
 * right to create tables is needed.
 */
export async function createTable(query: SqlQuery, table: string): Promise<void> {
  const text = `DO $$ BEGIN
IF to_regclass('${quoteTable(table)}') IS NULL OR to_regclass('${quoteIndex(table)}') IS NULL THEN
PERFORM pg_advisory_xact_lock(1668247156);
${postgresDdl(table).join(';\n')};
END IF;
END $$`;
  const create = async () => query(text, []);
  await create()
    .catch(create)
    .catch((error) => {
      const code = codeOf(error);
      if (code === invalidSchemaName)
        misconfigured(`the schema of the table ${table} does not exist`, 'Create it.', error);
      if (code !== insufficientPrivilege) throw error;
      misconfigured(
        `the table ${table} does not exist and this database user cannot create it`,
        'Run the statements of postgresDdl() in a migration, and pass createTable: false.',
        error,
      );
    });
}
