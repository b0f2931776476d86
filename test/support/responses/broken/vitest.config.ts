import { defineConfig } from 'vitest/config';

/** Like the project's own configuration, for one test whose server breaks the contract. */
export default defineConfig({
  test: {
    include: ['test/support/responses/broken/*.fixture.ts'],
    globalSetup: './test/support/global-setup.ts',
    setupFiles: [
      './test/support/loopback-set-up.ts',
      './test/support/responses/record-responses.ts',
    ],
  },
});
