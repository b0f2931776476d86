import { type Refusal, refuse } from '../domain/rejection.ts';
import type { TableName, Tables } from '../domain/tables.ts';
import type { Context } from './operations/answer.ts';

type OwnedTable = {
  [T in TableName]: Tables[T] extends { readonly project: string } ? T : never;
}[TableName];

/** A row of the caller's project; another project's is as absent as none. */
export function ownRow<T extends OwnedTable>(
  { world, principal }: Context,
  table: T,
  id: string,
  what: string,
): Tables[T] | Refusal {
  const row = world.store.table(table).get(id);
  if (row && (row as { project: string }).project === principal.project) return row;
  return refuse('not_found', `No such ${what}.`);
}
