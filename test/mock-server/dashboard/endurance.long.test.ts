import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
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

const rows = 100_000;

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

  test('100 000 rows are scrolled and walked by keyboard with fewer than 80 of them rendered', async () => {
    const store = memoryStore();
    server = await startServer(built, { store, logLimit: rows * 2 });
    const events = store.table('events');
    for (let number = 0; number < rows; number += 1) {
      events.put({
        id: `evt_${String(900_000 + number).padStart(12, '0')}`,
        at: server.mock.clock.now(),
        type: 'generation.completed',
        organization: server.mock.organization,
      });
    }
    const { page, go } = await open();
    await go('events');
    await page.locator('.row-link').first().focus();
    await page.keyboard.press('End');
    expect(await walkToTheEnd(page, rows)).toBeLessThan(80);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate(() => document.activeElement?.closest('tr')?.ariaRowIndex);
    await expect.poll(focused).toBe('3');
    await page.evaluate(() => {
      const list = document.querySelector('.table-scroll');
      if (list) list.scrollTop = list.scrollHeight / 2;
    });
    await expect.poll(focused).toBe(undefined);
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
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
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(focused).toBe('admin');
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

  test('what it loads first is at most 70 kB gzipped', async () => {
    server = await startServer(built);
    const html = readFileSync(join(built.folder, 'index.html'));
    const named = [...String(html).matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) =>
      readFileSync(join(built.folder, String(path))),
    );
    expect(named.length).toBeGreaterThan(1);
    const size = [html, ...named].reduce((sum, file) => sum + gzipSync(file).length, 0);
    expect(size).toBeLessThan(70_000);
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

/** Presses End until that many rows are loaded; returns the most that were rendered at once. */
function walkToTheEnd(page: Page, wanted: number): Promise<number> {
  return page.evaluate(async (rows) => {
    const foot = document.querySelector('.table-foot') as Element;
    const loaded = () => Number(foot.getAttribute('data-loaded'));
    // Resolves when rows are added, or after 100 ms: a key pressed before the last row has the focus is lost.
    const grown = () =>
      new Promise((resolve) => {
        const observer = new MutationObserver(resolve);
        observer.observe(foot, { attributes: true });
        setTimeout(resolve, 100);
      });
    let drawn = 0;
    while (loaded() < rows) {
      const event = new KeyboardEvent('keydown', { key: 'End', bubbles: true, cancelable: true });
      const more = grown();
      document.activeElement?.dispatchEvent(event);
      await more;
      drawn = Math.max(drawn, document.querySelectorAll('tbody tr').length);
    }
    return drawn;
  }, wanted);
}
