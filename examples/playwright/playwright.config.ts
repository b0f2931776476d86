import { defineConfig } from '@playwright/test';
import { appUrl, mockUrl } from './urls.ts';

const executablePath = process.env['CHROMIUM_PATH'];
/** A well-formed key that works only with this mock. */
const adminKey = 'cg_test_0El6XFXwsUFD8J2vGxsaboW7rZYnQRBP5d9erwRwd294RQjyC';
const env = {
  CONTENTGEN_BASE_URL: mockUrl,
  CONTENTGEN_API_KEY: adminKey,
  CONTENTGEN_ADMIN_KEY: adminKey,
};

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  reporter: 'line',
  expect: { timeout: 15_000 },
  use: {
    baseURL: appUrl,
    ...(executablePath && { launchOptions: { executablePath, args: ['--no-sandbox'] } }),
  },
  webServer: [
    {
      command: `npx contentgen mock --port ${new URL(mockUrl).port} --log none`,
      url: `${mockUrl}/openapi.yaml`,
      env,
    },
    { command: 'node app.ts', url: appUrl, env },
  ],
});
