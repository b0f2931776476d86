import { type OperationDetails, operationDetails } from '../../../src/generated/operations.ts';

export interface CoverageTable {
  readonly text: string;
  /** Declared statuses that no response had. */
  readonly holes: readonly string[];
}

const operationsOf: Readonly<Record<string, OperationDetails>> = operationDetails;

/** How often each operation responded with each status; `seen` counts by `<operationId> <status>`. */
export function coverageTable(seen: ReadonlyMap<string, number>): CoverageTable {
  const all = Object.entries(operationsOf);
  const statuses = [...new Set(all.flatMap(([, details]) => details.statuses))].sort();
  const holes: string[] = [];
  const rows = all.map(([id, details]) => {
    const cells = statuses.map((status) => {
      if (!details.statuses.includes(status)) return '·';
      const count = seen.get(`${id} ${status}`) ?? 0;
      if (count === 0) holes.push(`${id} ${status}`);
      return count === 0 ? 'HOLE' : String(count);
    });
    return id.padEnd(24) + cells.map((cell) => cell.padStart(6)).join('');
  });
  const title = 'operation'.padEnd(24) + statuses.map((each) => String(each).padStart(6)).join('');
  return { text: [title, ...rows].join('\n'), holes };
}
