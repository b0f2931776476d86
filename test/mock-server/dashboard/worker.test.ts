import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { serve } from '../../support/sockets.ts';
import { type BuiltDashboard, openBuiltDashboard } from './harness.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

describe.runIf(needs('chromium'))('next to a mock in a service worker', () => {
  let built: BuiltDashboard;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    built = await openBuiltDashboard();
    folder = mkdtempSync(join(tmpdir(), 'contentgen-worker-page-'));
    await build({
      configFile: false,
      logLevel: 'error',
      root: fileURLToPath(new URL('./worker-page', import.meta.url)),
      build: { outDir: folder, target: 'es2022', emptyOutDir: true },
    });
    cpSync(built.folder, join(folder, 'dashboard'), { recursive: true });
    const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
    copyFileSync(worker, join(folder, 'mockServiceWorker.js'));
    url = await serve(({ url: address = '/' }, response) => {
      const { pathname } = new URL(address, 'http://host');
      const name = pathname === '/' ? '/index.html' : pathname;
      try {
        const body = readFileSync(join(folder, name));
        response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream');
        response.end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
  }, 60_000);

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await built.close();
  });

  test('the dashboard in a frame shows the mock of its page, live', async () => {
    const context = await built.browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(url);
    const dashboard = page.frameLocator('iframe');
    await dashboard.getByText('live', { exact: true }).waitFor();
    await dashboard.getByText('sent by the application').waitFor();
    await dashboard.getByRole('link', { name: 'Try', exact: true }).click();
    await dashboard.getByRole('button', { name: 'Generate', exact: true }).click();
    await dashboard.getByText('"totalTokens"').waitFor();
    await dashboard.getByRole('link', { name: 'Time and faults' }).click();
    await dashboard.getByRole('button', { name: '+ 1 day', exact: true }).click();
    await dashboard.getByText('2026-01-02 00:00:00 UTC').first().waitFor();
    expect(errors).toEqual([]);
    await context.close();
  }, 60_000);
});
