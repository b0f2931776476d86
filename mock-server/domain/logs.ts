import { isRequestStream } from './ids.ts';
import type { TableName } from './records.ts';

/**
 * The logs: their lines are only added at the end and dropped from the start, and no response acknowledges them, so a
 * store can write them a little later than everything else.
 */
const LOGS: ReadonlySet<string> = new Set<TableName>(['events', 'requests']);

export const isLog = (table: TableName): boolean => LOGS.has(table);

/** Whether a row is a counter that only numbers the lines of a log or the requests in it. */
export function isLogCounter(table: TableName, id: string): boolean {
  if (table !== 'counters') return false;
  const [name = '', about] = id.split(':');
  return LOGS.has(name) || isRequestStream(name, Number(about));
}
