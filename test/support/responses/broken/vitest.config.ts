import { defineConfig } from 'vitest/config';
import { tapMocks } from '../tap-source.mjs';

/** Like the project's own configuration, for one test whose server breaks the contract. */
export default defineConfig({
  plugins: [tapMocks()],
  test: {
    include: ['test/support/responses/broken/*.fixture.ts'],
    globalSetup: './test/support/responses/global-setup.ts',
    setupFiles: ['./test/support/responses/tap-node.mjs', './test/support/responses/name-test.ts'],
  },
});
