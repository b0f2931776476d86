import { defineConfig } from 'vitest/config';

/** A run like the project's own, of one test whose server breaks the contract. */
export default defineConfig({
  test: {
    include: ['test/support/answers/broken/*.fixture.ts'],
    globalSetup: './test/support/answers/run.ts',
    setupFiles: ['./test/support/answers/tap.mjs', './test/support/answers/node.ts'],
  },
});
