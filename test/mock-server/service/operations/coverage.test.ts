import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationDetails } from '../../../../src/generated/operations.ts';

const folder = new URL('.', import.meta.url);

function described(file: string): string | undefined {
  const text = readFileSync(new URL(file, folder), 'utf8');
  return /describeOperation\(\s*'(\w+)'/.exec(text)?.[1];
}

// `describeOperation` makes one test of each declared status and does not compile while one has no case, so a file per
// operation is a case per cell. What was answered is counted at the run's end, over all of its tests, and printed as
// one table: a hole in it fails the run.
test('every operation of the contract is tested in a file of its own', () => {
  const tested = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts') && file !== 'coverage.test.ts')
    .map(described);
  expect(tested.sort()).toEqual(Object.keys(operationDetails).sort());
});
