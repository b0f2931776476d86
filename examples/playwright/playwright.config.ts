import { defineConfig } from '@playwright/test';

const executablePath = process.env['CHROMIUM_PATH'];
const baseURL = `http://127.0.0.1:${process.env['APP_PORT'] ?? 4610}`;

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  reporter: 'line',
  fullyParallel: true,
  workers: 2,
  expect: { timeout: 15_000 },
  use: {
    baseURL,
    ...(executablePath && { launchOptions: { executablePath, args: ['--no-sandbox'] } }),
  },
  webServer: { command: 'node app.ts', url: baseURL },
});
