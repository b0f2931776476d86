import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDuration, milliseconds } from '../../../mock-server/control/arguments.ts';
import { files } from '../../support/sources.ts';

test.each([
  ['250 ms', 250],
  ['60 s', 60_000],
  ['1 second', 1_000],
  ['5min', 300_000],
  ['10 minutes', 600_000],
  ['2 h', 7_200_000],
  ['2 hours', 7_200_000],
  ['7d', 604_800_000],
  ['1.5 days', 129_600_000],
  [1.4, 1],
] as const)('%s is a duration', (duration, ms) => {
  expect(milliseconds(duration)).toBe(ms);
});

test.each(['', '5', 's', '5 m', '5 weeks', '-1 s', ' 5 s', '5  s', '1e3 s', '5 S'])(
  '%j is not a duration',
  (text) => {
    expect(() => milliseconds(text as never)).toThrow('Pass milliseconds');
  },
);

test('every duration that a document or the description of an option quotes is one', () => {
  const documents = files('docs/*.md', 'README.md', 'skills/**/*.md', 'mock-server/**/options.ts');
  const quoted = documents.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return [...text.matchAll(/['"](\d+(?:\.\d+)? ?(?!mb)[a-z]+)['"]/g)].map(
      ([, found = '']) => found,
    );
  });
  expect(quoted.length).toBeGreaterThan(10);
  expect(quoted.filter((text) => !isDuration(text))).toEqual([]);
});
