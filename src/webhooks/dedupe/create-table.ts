import { elapsed } from '../../platform/driver.ts';
import { misconfigured } from '../../signing/errors.ts';
import type { SqlQuery } from './lease-times.ts';
import { quoteIndex, quoteTable } from './postgres-table.ts';

/** Starting over is safe, and a hanging connection must not block the store forever. */
const hangsAfterMs = 5000;

/** Creates a table and its index on the first call; later and concurrent calls wait for that, unless it hangs. */
export function tableCreator(
  query: SqlQuery,
  table: string,
  ddl: (table: string) => readonly string[],
  ddlName: string,
): () => Promise<void> {
  let shared: Promise<void> | undefined;
  let isDone = false;
  let startedAt = 0;
  return async () => {
    if (isDone) return;
    if (!shared || elapsed() - startedAt > hangsAfterMs) {
      startedAt = elapsed();
      const started = createTable(query, table, ddl(table), ddlName).then(
        () => {
          isDone = true;
        },
        (error) => {
          if (shared === started) shared = undefined;
          throw error;
        },
      );
      shared = started;
    }
    await shared;
  };
}

/** Error codes of PostgreSQL. */
const insufficientPrivilege = '42501';
const invalidSchemaName = '3F000';

/**
 * `IF NOT EXISTS` only sees what is committed, so concurrent CREATE TABLEs collide in the catalog. They wait for each
 * other through an advisory lock, in one statement because a pool can send each statement over another connection. A
 * concurrent migration does not take that lock, hence the second try. If the table exists, nothing is locked and no
 * right to create tables is needed.
 */
async function createTable(
  query: SqlQuery,
  table: string,
  statements: readonly string[],
  ddlName: string,
): Promise<void> {
  const text = `DO $$ BEGIN
IF to_regclass('${quoteTable(table)}') IS NULL OR to_regclass('${quoteIndex(table)}') IS NULL THEN
PERFORM pg_advisory_xact_lock(1668247156);
${statements.join(';\n')};
END IF;
END $$`;
  const create = async () => query(text, []);
  await create()
    .catch(create)
    .catch((error) => {
      const { code } = Object(error);
      if (code === invalidSchemaName)
        misconfigured(`the schema of the table ${table} does not exist`, 'Create it.', error);
      if (code !== insufficientPrivilege) throw error;
      misconfigured(
        `the table ${table} does not exist and this database user cannot create it`,
        `Run the statements of ${ddlName}() in a migration, and pass createTable: false.`,
        error,
      );
    });
}
