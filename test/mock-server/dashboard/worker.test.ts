import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  let server: Server;
  let url: string;
  /** Of all tests but one: each setup replaces the one before. */
  let page: Page;

  beforeAll(async () => {
    built = await openBuiltDashboard();
    // Unknown paths get the page, as with a development server.
    server = createServer(({ url: address = '/' }, response) => {
      const { pathname } = new URL(address, 'http://host');
      const isFile = pathname !== '/' && existsSync(join(built.workerPage, pathname));
      const name = isFile ? pathname : '/index.html';
      response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream');
      response.end(readFileSync(join(built.workerPage, name)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    page = await openPage();
  }, 60_000);

  afterAll(async () => {
    await page.context().close();
    await built.close();
    server.closeAllConnections();
    server.close();
  });

  const isLoaded = (tab: Page) => tab.waitForFunction('globalThis.setupMockWorker');

  async function openPage(): Promise<Page> {
    const tab = await built.browser.newPage();
    await tab.goto(url);
    await isLoaded(tab);
    return tab;
  }

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
    await isLoaded(page);
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

  test('a page.clock that is paused before the mock is loaded does not stop its clock', async () => {
    const tab = await openPage();
    const installed = new Date();
    await tab.clock.install({ time: installed });
    await tab.clock.pauseAt(new Date(installed.getTime() + 3_600_000));
    await tab.reload();
    await isLoaded(tab);
    const status = await tab.evaluate(async () => {
      const { mock } = await setupMockWorker({ seed: 1, processingTime: { min: 20, max: 40 } });
      const response = await fetch(`${mock.baseUrl}/api/ai/content/generate`, {
        method: 'POST',
        headers: { 'x-api-key': mock.memberKey, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'x' }),
      });
      return response.status;
    });
    expect(status).toBe(200);
    await tab.context().close();
  });

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
    expect(message).toMatch(/no worker script at \/none\/worker\.js .* npx msw init public --save/);
  });
});
