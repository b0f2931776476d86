import { readdirSync } from 'node:fs';
import { verdictOn } from './check.ts';
import { coverageTable } from './coverage-table.ts';
import { readAnswers } from './read.ts';

export interface Report {
  readonly text: string;
  readonly ok: boolean;
}

const LISTED = 50;
const operationTests = readdirSync(
  new URL('../../mock-server/service/operations/', import.meta.url),
)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/mock-server/service/operations/${name}`);

/**
 * What the answers in a folder come to: every way in which one breaks the contract, and how often each operation
 * answered with each status. A status that none had is a fault once the tests of all operations are among `ran`.
 */
export function report(folder: string, ran: readonly string[]): Report {
  const seen = new Map<string, number>();
  const faults = new Map<string, string | undefined>();
  let [answers, exempt, beside] = [0, 0, 0];
  for (const answer of readAnswers(folder)) {
    const verdict = verdictOn(answer);
    answers += 1;
    if (verdict.exempt) exempt += 1;
    if (verdict.operation === undefined) beside += 1;
    else {
      const cell = `${verdict.operation} ${answer.status}`;
      seen.set(cell, (seen.get(cell) ?? 0) + 1);
    }
    for (const fault of verdict.faults) if (!faults.has(fault)) faults.set(fault, answer.of);
  }
  const { text: table, holes } = coverageTable(seen);
  const whole = operationTests.every((file) => ran.includes(file));
  const lines = [...faults].slice(0, LISTED).map(([fault, of]) => `  ${fault}  (${of})`);
  const sections = [
    ...(whole ? [table] : []),
    `${answers} answers held to the contract: ${beside} of no operation, ${exempt} changed by an injected fault, ${faults.size} that break it`,
    ...lines,
    ...(whole && holes.length > 0 ? [`no answer had: ${holes.join(', ')}`] : []),
  ];
  return { text: sections.join('\n'), ok: faults.size === 0 && !(whole && holes.length > 0) };
}
