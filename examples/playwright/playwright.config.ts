import { defineConfig } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'];
/** Well formed, and of no use elsewhere. */
const adminKey = 'cg_test_0El6XFXwsUFD8J2vGxsaboW7rZYnQRBP5d9erwRwd294RQjyC';
const env = {
  CONTENTGEN_BASE_URL: 'http://127.0.0.1:4610',
  CONTENTGEN_API_KEY: adminKey,
  CONTENTGEN_ADMIN_KEY: adminKey,
};

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  reporter: 'line',
  use: {
    baseURL: 'http://127.0.0.1:4611',
    ...(executablePath && { launchOptions: { executablePath, args: ['--no-sandbox'] } }),
  },
  webServer: [
    {
      command: 'npx contentgen mock --port 4610 --log none',
      url: 'http://127.0.0.1:4610/openapi.yaml',
      env,
    },
    { command: 'node app.ts', url: 'http://127.0.0.1:4611/', env },
  ],
});
