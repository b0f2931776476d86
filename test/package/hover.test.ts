import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { clientEntries, mockEntries, outputName } from '../../scripts/entries.ts';
import { undocumented } from './undocumented.ts';

const entries = Object.keys({ ...clientEntries, ...mockEntries }).map(outputName);

test('every exported name, with its members and options, shows a text in the hover', () => {
  const dist = join(inject('installation'), 'node_modules/contentgen/dist/');
  const files = entries.map((name) => `${dist}${name}.d.ts`);
  const missing = undocumented(files, (file) => file.startsWith(dist));
  const byEntry = Object.entries(missing).map(([file, names]) => [file.slice(dist.length), names]);
  expect(Object.fromEntries(byEntry)).toEqual(
    Object.fromEntries(entries.map((name) => [`${name}.d.ts`, []])),
  );
});
