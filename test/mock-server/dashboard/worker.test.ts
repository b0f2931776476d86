import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { setupMockWorker as SetupMockWorker } from '../../../mock-server/msw/browser.ts';
import { needs } from '../../support/needs.ts';
import { type BuiltDashboard, openBuiltDashboard } from './harness.ts';

declare const setupMockWorker: typeof SetupMockWorker;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

test('without service workers, as in jsdom, it names what works there', async () => {
  const { setupMockWorker } = await import('../../../mock-server/msw/browser.ts');
  await expect(setupMockWorker()).rejects.toThrow('contentgen/mock/node');
});

describe.runIf(needs('chromium'))('setupMockWorker in a page', () => {
  let built: BuiltDashboard;
  let folder: string;
  let server: Server;
  let url: string;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    built = await openBuiltDashboard();
    folder = mkdtempSync(join(tmpdir(), 'contentgen-worker-'));
    await build({
      configFile: false,
      logLevel: 'error',
      root: fileURLToPath(new URL('./worker-page', import.meta.url)),
      build: { outDir: folder, target: 'es2022', emptyOutDir: true, minify: false },
    });
    const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
    copyFileSync(worker, join(folder, 'mockServiceWorker.js'));
    // Unknown paths get the page, as with a development server.
    server = createServer(({ url: address = '/' }, response) => {
      const { pathname } = new URL(address, 'http://host');
      const isFile = pathname !== '/' && existsSync(join(folder, pathname));
      const name = isFile ? pathname : '/index.html';
      response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream');
      response.end(readFileSync(join(folder, name)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }, 60_000);

  afterAll(async () => {
    await built.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    context = await built.browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    await page.goto(url);
    await page.waitForFunction('globalThis.setupMockWorker');
  });
  afterEach(() => context.close());

  test("the page's own origin as the base URL leaves the page its files, and itself after a reload", async () => {
    const ask = (paths: string[]) =>
      page.evaluate(async (given) => {
        const { mock } = await setupMockWorker({ seed: 1, baseUrl: location.origin });
        const headers = { 'x-api-key': mock.adminKey };
        return Promise.all(given.map(async (path) => (await fetch(path, { headers })).status));
      }, paths);
    const paths = ['/api/usage', '/v2/api/usage', '/lazy-chunk.none', '/mockServiceWorker.js'];
    expect(await ask(paths)).toEqual([200, 200, 200, 200]);
    await page.goto(`${url}/api-keys`);
    expect(await page.title()).not.toBe('');
    await page.reload();
    await page.waitForFunction('globalThis.setupMockWorker');
    expect(await ask(['/api/usage'])).toEqual([200]);
  });

  test('a second setup replaces the first one', async () => {
    const statuses = await page.evaluate(async () => {
      const setups = [setupMockWorker({ seed: 1 }), setupMockWorker({ seed: 2 })];
      const [first, second] = await Promise.all(setups);
      const third = await setupMockWorker({ seed: 3 });
      await first?.close();
      const ask = (key = '') =>
        fetch(`${third.mock.baseUrl}/api/usage`, { headers: { 'x-api-key': key } });
      const keys = [first, second, third].map((setup) => setup?.mock.adminKey);
      return Promise.all(keys.map(async (key) => (await ask(key)).status));
    });
    expect(statuses).toEqual([401, 401, 200]);
  });

  test.each(['after', 'before'])(
    'a page.clock that is paused %s the mock is loaded does not stop its clock',
    async (moment) => {
      const installed = new Date();
      await page.clock.install({ time: installed });
      await page.clock.pauseAt(new Date(installed.getTime() + 3_600_000));
      if (moment === 'before') {
        await page.reload();
        await page.waitForFunction('globalThis.setupMockWorker');
      }
      const status = await page.evaluate(async () => {
        const { mock } = await setupMockWorker({ seed: 1, processingTime: { min: 20, max: 40 } });
        const response = await fetch(`${mock.baseUrl}/api/ai/content/generate`, {
          method: 'POST',
          headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: 'x' }),
        });
        return response.status;
      });
      expect(status).toBe(200);
    },
  );

  test('a request to another origin with cookies is refused, as by a service that allows every origin', async () => {
    const outcomes = await page.evaluate(async () => {
      const { mock } = await setupMockWorker({ seed: 1 });
      const headers = { 'x-api-key': mock.adminKey };
      const ask = (credentials: RequestCredentials) =>
        fetch(`${mock.baseUrl}/api/usage`, { headers, credentials }).then(
          ({ status }) => status,
          (error) => error.name,
        );
      return [await ask('same-origin'), await ask('include')];
    });
    expect(outcomes).toEqual([200, 'TypeError']);
  });

  test('a missing worker script is named, with what to do', async () => {
    const message = await page.evaluate(() =>
      setupMockWorker({ workerUrl: '/none/worker.js' }).then(
        () => '',
        (error: Error) => error.message,
      ),
    );
    expect(message).toBe(
      'Failed to set up the mock worker: there is no worker script at /none/worker.js (content type text/html). Create it with npx msw init public --save, where public is the folder your server serves at /, or pass its address as workerUrl.',
    );
  });
});
