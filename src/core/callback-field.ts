import type { OperationId } from '../types.ts';

type Fields = Record<string, unknown>;

/** Gives the deployment's own callback field the contract's name, in a body that is a generation or a page of them. */
export function nameCallback(body: unknown, operation: OperationId, field: string): void {
  if (field === 'webhookUrl' || !/Content$|Generations?$/.test(operation)) return;
  const { data } = Object(body) as { data?: unknown };
  for (const row of (Array.isArray(data) ? data : [body]) as Fields[]) {
    if (row?.[field] === undefined) continue;
    row['webhookUrl'] = row[field];
    delete row[field];
  }
}
