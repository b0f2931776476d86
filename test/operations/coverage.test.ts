import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type OperationDetails, operationDetails } from '../../src/generated/operations.ts';

const folder = new URL('.', import.meta.url);
const declared: Readonly<Record<string, OperationDetails>> = operationDetails;

function described(file: string): string | undefined {
  const text = readFileSync(new URL(file, folder), 'utf8');
  return /describeOperation\(\s*'(\w+)'/.exec(text)?.[1];
}

// `describeOperation` makes one test of each declared status and does not compile while one has no case,
// so a file per operation is a case per cell.
test('every operation and status of the contract is tested', () => {
  const tested = new Set(
    readdirSync(folder)
      .filter((file) => file.endsWith('.test.ts') && file !== 'coverage.test.ts')
      .map(described),
  );
  const all = Object.entries(declared);
  const statuses = [...new Set(all.flatMap(([, details]) => details.statuses))].sort();
  const rows = all.map(([id, details]) => {
    const cells = statuses.map((status) => {
      if (!details.statuses.includes(status)) return '  · ';
      return tested.has(id) ? '  ✓ ' : ' HOLE';
    });
    return `${id.padEnd(24)}${cells.join('')}`;
  });
  const table = [`${' '.repeat(24)}${statuses.map((status) => ` ${status}`).join('')}`, ...rows];
  const covered = table.join('\n');
  process.stdout.write(`${covered}\n`);
  expect(covered).not.toContain('HOLE');
  expect([...tested].sort()).toEqual(Object.keys(declared).sort());
});
