import type { OperationId } from '../types.ts';

type Fields = Record<string, unknown>;

/** Gives the deployment's own callback field the contract's name, in an answer that is a generation or a page of them. */
export function nameCallback(
  data: object,
  operation: OperationId | undefined,
  field: string,
): object {
  if (field === 'webhookUrl' || !/Content$|Generations?$/.test(operation ?? '')) return data;
  const { data: page } = data as { data?: unknown };
  for (const row of (Array.isArray(page) ? page : [data]) as Fields[]) {
    if (row?.[field] === undefined) continue;
    row['webhookUrl'] = row[field];
    delete row[field];
  }
  return data;
}
