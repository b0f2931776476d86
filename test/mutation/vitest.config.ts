import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { clientEntries, mockEntries, specifier } from '../../scripts/entries.ts';

const root = new URL('../../', import.meta.url);

/** Runs the tests of one area on the sources, in a single project, as the mutation run needs. */
export default defineConfig({
  root: fileURLToPath(root),
  resolve: {
    alias: Object.entries({ ...clientEntries, ...mockEntries }).map(([subpath, source]) => ({
      find: new RegExp(`^${specifier(subpath)}$`),
      replacement: fileURLToPath(new URL(source, root)),
    })),
  },
  test: {
    include: (process.env['CONTENTGEN_MUTATION_TESTS'] ?? '')
      .split(' ')
      .map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)),
    setupFiles: [fileURLToPath(new URL('preload.ts', import.meta.url))],
    testTimeout: 15_000,
  },
});
