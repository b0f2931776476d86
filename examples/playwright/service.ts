import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test as base } from '@playwright/test';
import { connectMock, type Universe } from 'contentgen/mock/remote';
import { mockUrl } from './mock-url.ts';

interface Service {
  readonly universe: Universe;
  readonly appUrl: string;
}

/**
 * Tests with a service of their own: each worker has a universe, and a process of the application that knows nothing
 * else. It gets the base URL and key as it would anywhere, and asks for the signing secret.
 */
export const test = base.extend<object, { service: Service }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the parameters.
    async ({}, use) => {
      await using universe = await connectMock(mockUrl).createUniverse();
      const app = spawn(process.execPath, ['app.ts'], {
        env: {
          ...process.env,
          CONTENTGEN_BASE_URL: universe.url,
          CONTENTGEN_API_KEY: universe.adminKey,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [line] = await once(app.stdout, 'data');
        await use({ universe, appUrl: String(line).trim() });
      } finally {
        app.kill();
      }
    },
    { scope: 'worker' },
  ],
  baseURL: ({ service }, use) => use(service.appUrl),
});
