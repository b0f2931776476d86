import { createRequire } from 'node:module';
import type * as Source from '../../../src/index.ts';

/** What the suite runs on: the source, or with CONTENTGEN_BUILD=esm|cjs the built package. */
export const build = process.env['CONTENTGEN_BUILD'] ?? 'source';

const load = async (): Promise<typeof Source> => {
  if (build === 'esm') return import(new URL('../../../dist/index.js', import.meta.url).href);
  if (build === 'cjs') return createRequire(import.meta.url)('../../../dist/index.cjs');
  return import('../../../src/index.ts');
};

export const contentgen: typeof Source = await load();
export type * from '../../../src/index.ts';
