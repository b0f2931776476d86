import { readdirSync } from 'node:fs';
import { coverageTable } from './coverage-table.ts';
import { readResponses } from './read-responses.ts';
import { verdictOn } from './verdict.ts';

export interface Report {
  readonly text: string;
  readonly ok: boolean;
}

const MAX_LISTED = 50;
const operationTests = readdirSync(
  new URL('../../mock-server/service/operations/', import.meta.url),
)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/mock-server/service/operations/${name}`);

/**
 * Checks the responses in a folder: lists every difference from the contract, and counts the responses by operation and
 * status. If the tests of all operations are among `ran`, a declared status without a response is an error too.
 */
export function report(folder: string, ran: readonly string[]): Report {
  const seen = new Map<string, number>();
  const faults = new Map<string, string | undefined>();
  let [responses, exempt, withoutOperation] = [0, 0, 0];
  for (const response of readResponses(folder)) {
    const verdict = verdictOn(response);
    responses += 1;
    if (verdict.exempt) exempt += 1;
    if (verdict.operation === undefined) withoutOperation += 1;
    else {
      const cell = `${verdict.operation} ${response.status}`;
      seen.set(cell, (seen.get(cell) ?? 0) + 1);
    }
    for (const fault of verdict.faults) if (!faults.has(fault)) faults.set(fault, response.of);
  }
  const { text: table, holes } = coverageTable(seen);
  const isComplete = operationTests.every((file) => ran.includes(file));
  const lines = [...faults].slice(0, MAX_LISTED).map(([fault, of]) => `  ${fault}  (${of})`);
  const sections = [
    ...(isComplete ? [table] : []),
    `${responses} responses checked against the contract: ${withoutOperation} outside all operations, ${exempt} excused by an injected fault, ${faults.size} differences`,
    ...lines,
    ...(isComplete && holes.length > 0 ? [`never seen: ${holes.join(', ')}`] : []),
  ];
  return { text: sections.join('\n'), ok: faults.size === 0 && !(isComplete && holes.length > 0) };
}
