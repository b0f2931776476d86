import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationDetails } from '../../../../src/generated/operations.ts';

const folder = new URL('.', import.meta.url);

function described(file: string): string | undefined {
  const text = readFileSync(new URL(file, folder), 'utf8');
  return /describeOperation\(\s*'(\w+)'/.exec(text)?.[1];
}

// `describeOperation` makes one test per declared status and does not compile if one has no case, so one file per
// operation covers every status. The end of the run counts the responses by operation and status.
test('every operation of the contract has its own test file', () => {
  const tested = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts') && file !== 'coverage.test.ts')
    .map(described);
  expect(tested.sort()).toEqual(Object.keys(operationDetails).sort());
});
