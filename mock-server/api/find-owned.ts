import { type PageSource, readPage } from '../domain/pages.ts';
import type { Table } from '../domain/ports.ts';
import type { TableName, Tables } from '../domain/records.ts';
import { isRejection, type Rejection, reject } from '../domain/rejection.ts';
import type { OperationCall, Outcome } from './operations/operation.ts';

type OwnedTable = {
  [T in TableName]: Tables[T] extends { readonly project: string } ? T : never;
}[TableName];

const NAMES = {
  apiKeys: 'API key',
  deliveries: 'delivery',
  generations: 'generation',
  webhooks: 'webhook',
} as const satisfies Partial<Record<OwnedTable, string>>;

/** The record with this id, if it belongs to the caller's project. To the caller, other projects' records do not exist. */
export function findOwned<T extends keyof typeof NAMES>(
  { context, principal }: OperationCall,
  table: T,
  id: string | undefined,
): Tables[T] | Rejection {
  const row = id === undefined ? undefined : context.store.table(table).get(id);
  if (row?.project === principal.project) return row;
  return reject('not_found', `No ${NAMES[table]} has this identifier in this project.`);
}

/** A page of the project's records, newest first. */
export function listOwned<T extends 'apiKeys' | 'webhooks'>(
  call: OperationCall,
  name: T,
  toWire: (row: Tables[T]) => object,
): Outcome {
  const { project } = call.principal;
  const where = { index: 'project', key: project, scope: `${name}:${project}` };
  return listPage(call, call.context.store.table(name), where, toWire);
}

/** A page of a table's index, newest first. A cursor is valid for all lists of the same `scope`. */
export function listPage<Row extends { readonly id: string; readonly createdAt: number }>(
  { context, query }: OperationCall,
  table: Table<Row>,
  where: PageSource,
  toWire: (row: Row) => object,
): Outcome {
  const { limit, cursor, since } = query as { limit: number; cursor?: string; since?: string };
  const page = readPage(context, table, { ...where, limit, cursor, since });
  if (isRejection(page)) return page;
  return { status: 200, body: { data: page.rows.map(toWire), nextCursor: page.nextCursor } };
}
