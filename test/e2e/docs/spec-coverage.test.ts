import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/spec-coverage.md', root), 'utf8');
const contract = readFileSync(new URL('openapi.yaml', root), 'utf8');
const table = page.slice(page.indexOf('| The specification |'));
const lines = table
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('| '));
const rows = lines
  .filter((line) => !line.startsWith('| **'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
const quoted = (cell: string | undefined) =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

describe('docs/spec-coverage.md', () => {
  test('covers every part of the specification', () => {
    const parts = [...table.matchAll(/^\| \*\*(\d)\./gm)].map(([, part]) => Number(part));
    expect(parts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rows.length).toBeGreaterThan(50);
  });

  test('names only files and tests that exist', () => {
    const paths = rows.flatMap(([, , files, tests]) => [...quoted(files), ...quoted(tests)]);
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  test('names only operations and schemas of the contract', () => {
    const parts = rows
      .flatMap(([, named]) => quoted(named))
      .flatMap((name) => name.replace(/^.* /, '').split('.'));
    expect(parts.filter((part) => part !== 'yaml' && !contract.includes(part))).toEqual([]);
  });
});
