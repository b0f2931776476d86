import { type InstanceContext, type SqlConnection, sqlDisk } from 'contentgen/simulate';
import { type Has, receiver, start } from './application-parts.ts';

export const schema = `
  CREATE TABLE accounts (id int PRIMARY KEY, credits int NOT NULL);
  CREATE TABLE marks (request_id text PRIMARY KEY);
  CREATE TABLE bonuses (request_id text PRIMARY KEY);
  INSERT INTO accounts VALUES (1, 100)`;

/** Charges an account for each result, and gives a bonus for the first one. */
export async function ledger(context: InstanceContext, has: Has) {
  const db = await sqlDisk(context.disk, { schema });
  const known = new Set<string>();

  async function inTransaction(work: (tx: SqlConnection) => Promise<unknown>): Promise<void> {
    const tx = await db.connect();
    try {
      await tx.query('BEGIN');
      await work(tx);
      if (has('a swallowed error of the commit')) await tx.query('COMMIT').catch(() => {});
      else await tx.query('COMMIT');
    } catch (error) {
      await tx.query('ROLLBACK');
      throw error;
    } finally {
      tx.release();
    }
  }
  async function isNew(tx: SqlConnection, id: string): Promise<boolean> {
    if (has('no mark')) return true;
    if (has('marks in memory')) return !known.has(id) && Boolean(known.add(id));
    const { rowCount } = await tx.query('INSERT INTO marks VALUES ($1) ON CONFLICT DO NOTHING', [
      id,
    ]);
    return rowCount > 0;
  }
  async function charge(tx: SqlConnection, id: string): Promise<void> {
    const account = 'SELECT credits FROM accounts WHERE id = 1';
    const isLocked = !has('a bonus that is counted without a lock');
    const lock = isLocked && !has('a balance that is read and written back') ? ' FOR UPDATE' : '';
    const { rows } = await tx.query<{ credits: number }>(account + lock);
    const update = 'UPDATE accounts SET credits = credits - 1 WHERE id = 1';
    const { rowCount } = await tx.query('SELECT FROM bonuses');
    if (rowCount === 0) await tx.query('INSERT INTO bonuses VALUES ($1)', [id]);
    if (has('a balance that is read and written back')) {
      const left = (rows[0]?.credits ?? 0) - 1;
      await tx.query('UPDATE accounts SET credits = $1 WHERE id = 1', [left]);
    } else await tx.query(update);
  }
  const once = async (tx: SqlConnection, id: string) => {
    if (await isNew(tx, id)) await charge(tx, id);
  };
  async function settle(id: string): Promise<void> {
    if (has('a mark and a charge in two transactions')) {
      let isFirst = false;
      await inTransaction(async (tx) => {
        isFirst = await isNew(tx, id);
      });
      return isFirst ? inTransaction((tx) => charge(tx, id)) : undefined;
    }
    return inTransaction((tx) => once(tx, id));
  }
  return {
    order: (prompt: string) => start(context, prompt),
    webhooks: receiver(context, (id) => {
      if (has('an error that is answered with success')) return settle(id).catch(() => {});
      if (!has('an answer before the commit')) return settle(id);
      void settle(id).catch(() => {});
      return undefined;
    }),
  };
}
