import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import {
  clientEntries,
  commonJsEntries,
  mockEntries,
  outputName,
  specifier,
} from '../scripts/entries.ts';
import { root } from './support/sources.ts';

describe('the public entries', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const all = { ...clientEntries, ...mockEntries };

  test('the exports map names each entry, without wildcards', () => {
    const subpaths = Object.keys(manifest.exports);
    expect(subpaths).toEqual([
      ...Object.keys(all),
      './deployments/given-only.json',
      './deployment.schema.json',
      './openapi.yaml',
      './package.json',
    ]);
    for (const subpath of Object.keys(all)) {
      const file = `./dist/${outputName(subpath)}`;
      const module = { types: `${file}.d.ts`, default: `${file}.js` };
      const required = { types: `${file}.d.cts`, default: `${file}.cjs` };
      const conditions =
        subpath in commonJsEntries ? { import: module, require: required } : module;
      expect(manifest.exports[subpath]).toMatchObject(conditions);
      expect(Boolean(manifest.exports[subpath].require)).toBe(subpath in commonJsEntries);
    }
  });

  test('the compiler maps each entry to its source', () => {
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const wanted = Object.entries(all).map(([subpath, source]) => [
      specifier(subpath),
      [`./${source}`],
    ]);
    const { bullmq: _ofAnExample, ...paths } = config.compilerOptions.paths;
    expect(paths).toEqual(Object.fromEntries(wanted));
  });
});
