import { describe, expect, test } from 'vitest';
import { filesOf, misplaced, outgrown } from '../../scripts/weight.ts';

describe('npm run weight', () => {
  const row = { source: 1000, tests: 500, bytes: 2000 };

  test.each([
    ['unchanged', row, []],
    ['lighter', { source: 1, tests: 0, bytes: 1 }, []],
    ['heavier by a tenth', { source: 1100, tests: 550, bytes: 2200 }, []],
    [
      'heavier by more',
      { source: 1101, tests: 551, bytes: 2201 },
      [
        'client: source is 1101, more than a tenth over its row, 1000.',
        'client: tests is 551, more than a tenth over its row, 500.',
        'client: bytes is 2201, more than a tenth over its row, 2000.',
      ],
    ],
  ])('a feature that is %s', (_, weight, faults) => {
    expect(outgrown({ client: weight }, { client: row })).toEqual(faults);
  });

  test('a feature without a row fails', () => {
    expect(outgrown({ client: row }, {})).toEqual(['client has no row.']);
  });

  test('counts every file once', () => {
    expect(misplaced(filesOf(['{src,mock-server,test,scripts,bench}/**']))).toEqual([]);
    expect(misplaced(['src/new-folder/new.ts'])).toEqual(['src/new-folder/new.ts']);
  });
});
