import { describe, expect, test } from 'vitest';
import { root } from '../support/sources.ts';
import { misplaced, places } from './manifest.ts';

describe('The manifest of the runtimes', () => {
  test('places every test file of its folders, and none that no longer exists', () => {
    expect(misplaced(root)).toEqual([]);
  });

  test('gives a reason for every file that does not run everywhere', () => {
    const silent = Object.entries(places).filter(([, { on, because }]) => on && !because);
    expect(silent).toEqual([]);
  });

  test('excepts claims only on runtimes where their file runs', () => {
    for (const [file, { on, except = [] }] of Object.entries(places))
      for (const { claim, on: kinds } of except)
        if (on) expect(on, `${file}: ${claim}`).toEqual(expect.arrayContaining([...kinds]));
  });
});
