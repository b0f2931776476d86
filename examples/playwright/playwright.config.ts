import { defineConfig } from '@playwright/test';
import { mockUrl } from './mock-url.ts';

const executablePath = process.env['CHROMIUM_PATH'];

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  reporter: 'line',
  fullyParallel: true,
  workers: 2,
  expect: { timeout: 15_000 },
  use: {
    ...(executablePath && { launchOptions: { executablePath, args: ['--no-sandbox'] } }),
  },
  webServer: {
    command: `npx contentgen mock --port ${new URL(mockUrl).port} --log none`,
    url: `${mockUrl}/openapi.yaml`,
  },
});
