import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import {
  type BuiltDashboard,
  callApi,
  openBuiltDashboard,
  startServer,
  type TestServer,
  type Visit,
  visit,
} from './harness.ts';

describe.runIf(needs('chromium'))('the dashboard under strain', { timeout: 45_000 }, () => {
  let built: BuiltDashboard;
  let server: TestServer;
  let visited: Visit | undefined;

  const open = async () => {
    visited = await visit(built, server);
    return visited;
  };

  beforeAll(async () => {
    built = await openBuiltDashboard();
  }, 60_000);
  afterAll(() => built.close());
  afterEach(async () => {
    await visited?.close();
    await server.close();
    visited = undefined;
  });

  test('a list with 5 000 rows and a stream of retries still responds to each search, with the right counts', async () => {
    server = await startServer(built, { logLimit: 20_000 });
    const webhookUrl = 'https://down.example/hooks';
    server.mock.receivers.set(webhookUrl, () => new Response('no', { status: 503 }));
    await callApi(server, '/api/ai/content/generate', { prompt: 'x', webhookUrl });
    await server.mock.settle();
    const { id } = server.mock.deliveries()[0] as { id: string };
    for (let turn = 1; turn < 5000; turn += 1) server.mock.resend(id, { body: `{"turn":${turn}}` });
    await server.mock.settle();
    const tab = await open();
    let retrying = true;
    const retries = (async () => {
      while (retrying) {
        server.mock.redeliver({ status: 'retrying', text: '"turn":49' });
        await server.mock.settle();
        await new Promise(setImmediate);
      }
    })();
    await tab.go('deliveries');
    const count = () => tab.page.locator('.table-foot').innerText();
    await expect.poll(count).toBe('5,000 rows');
    for (let turn = 10; turn < 13; turn += 1) {
      await tab.page.getByLabel('Find').fill(`"turn":${turn}`);
      await tab.page.getByLabel('Find').press('Enter');
      await expect.poll(count).toBe('111 rows');
      await tab.page.getByLabel('Find').fill('');
      await tab.page.getByLabel('Find').press('Enter');
      await expect.poll(count).toBe('5,000 rows');
    }
    await tab.go('overview');
    await tab.page.getByRole('link', { name: 'Deliveries 5,000', exact: true }).waitFor();
    retrying = false;
    await retries;
    expect(tab.pageErrors).toEqual([]);
  }, 90_000);

  test('after a restart of the server, the state of the new one is shown', async () => {
    server = await startServer(built, { seed: 1 });
    const port = Number(new URL(server.url).port);
    const { page, go } = await open();
    await callApi(server, '/api/ai/content/generate', { prompt: 'before' });
    await go('generations');
    await page.locator('.row-link').waitFor();
    await server.close();
    await page.getByText(/Connecting|does not respond/).waitFor();
    server = await startServer(built, { seed: 2 }, port);
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 10_000 });
    await page.getByText('No generations yet').waitFor();
    await callApi(server, '/api/ai/content/generate', { prompt: 'after' });
    await page.locator('.row-link').waitFor();
  }, 30_000);

  test('it works with only a keyboard', async () => {
    server = await startServer(built);
    const { page, go, pageErrors } = await open();
    await go('keys');
    await page.getByRole('link', { name: 'admin' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.locator('body').press('Tab');
    expect(await focused()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('API keys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(focused, { message: 'the focus returns' }).toBe('Create key');
    await page.keyboard.press('/');
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Find');
    await page.getByRole('link', { name: 'admin' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'admin' }).waitFor();
    await page.getByRole('link', { name: 'Close details' }).press('Escape');
    await page.getByRole('region', { name: 'admin' }).waitFor({ state: 'detached' });
    await expect.poll(focused, { message: 'the focus returns to the row' }).toBe('admin');
    expect(pageErrors).toEqual([]);
  });

  test('the chosen theme is remembered', async () => {
    server = await startServer(built);
    const { page, go } = await open();
    await go('overview');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await background()).not.toBe(light);
    await page.reload();
    expect(await background()).not.toBe(light);
  });

  test('what it loads first is at most 72 kB gzipped', async () => {
    server = await startServer(built);
    const html = readFileSync(join(built.folder, 'index.html'));
    const named = [...String(html).matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) =>
      readFileSync(join(built.folder, String(path))),
    );
    expect(named.length).toBeGreaterThan(1);
    const size = [html, ...named].reduce((sum, file) => sum + gzipSync(file).length, 0);
    expect(size).toBeLessThan(72_000);
  });

  test('the page allows no inline code and no other origin', async () => {
    server = await startServer(built);
    const response = await fetch(server.url);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    const html = await response.text();
    expect(html).not.toMatch(/<script>|<style|style=|https?:/);
    for (const path of [
      '/assets/../index.html',
      '/assets/%2e%2e/package.json',
      '/assets/nope.js',
    ]) {
      expect((await fetch(server.url + path)).status).not.toBe(200);
    }
  });
});
