import type { TableName, Tables } from '../domain/records.ts';
import { type Rejection, reject } from '../domain/rejection.ts';
import type { CallContext } from './operations/answer.ts';

type OwnedTable = {
  [T in TableName]: Tables[T] extends { readonly project: string } ? T : never;
}[TableName];

/** A row of the caller's project; another project's is as absent as none. */
export function ownRow<T extends OwnedTable>(
  { context, principal }: CallContext,
  table: T,
  id: string,
  what: string,
): Tables[T] | Rejection {
  const row = context.store.table(table).get(id);
  if (row && (row as { project: string }).project === principal.project) return row;
  return reject('not_found', `No such ${what}.`);
}
