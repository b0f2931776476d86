import { prepareSchema } from './schema.ts';
import { openSession, type PostgresPool } from './session.ts';

/**
 * Connects once and makes the tables, to report early what is wrong.
 *
 * @throws PostgresStoreError if the database cannot be used as it is, or the driver's error
 */
export async function checkDatabase(
  pool: PostgresPool,
  schema: string,
  deadlineMs: number,
): Promise<void> {
  const session = await openSession(pool, deadlineMs);
  try {
    await prepareSchema(session, schema);
  } finally {
    session.close();
  }
}
