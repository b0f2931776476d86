import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { memoryStore } from '../../../mock-server/stores/memory.ts';
import { needs } from '../../support/needs.ts';
import {
  call,
  openStage,
  openWorkshop,
  type Stage,
  type Visit,
  visit,
  type Workshop,
} from './harness.ts';

const rows = 100_000;

describe.runIf(needs('chromium'))('the dashboard endures', { timeout: 45_000 }, () => {
  let workshop: Workshop;
  let stage: Stage;
  let visited: Visit;

  beforeAll(async () => {
    workshop = await openWorkshop();
  }, 60_000);
  afterAll(() => workshop.close());
  afterEach(async () => {
    await visited.close();
    await stage.close();
  });

  test('100 000 rows are scrolled and walked by keyboard with fewer than 80 of them drawn', async () => {
    const store = memoryStore();
    stage = await openStage(workshop, { store, logLimit: rows * 2 });
    const events = store.table('events');
    for (let number = 0; number < rows; number += 1) {
      events.put({
        id: `evt_${String(900_000 + number).padStart(12, '0')}`,
        at: stage.mock.clock.now(),
        type: 'generation.completed',
        organization: stage.mock.organization,
      });
    }
    visited = await visit(workshop, stage);
    const { page, go } = visited;
    await go('events');
    await page.locator('.row-link').first().focus();
    const foot = page.locator('.table-foot');
    let held = 0;
    while (held < rows) {
      await page.keyboard.press('End');
      await expect
        .poll(async () => Number.parseInt((await foot.innerText()).replaceAll(',', ''), 10))
        .toBeGreaterThan(held);
      held = Number.parseInt((await foot.innerText()).replaceAll(',', ''), 10);
      expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    }
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

  test('a restart of the server is seen, and what the new one holds is shown', async () => {
    stage = await openStage(workshop, { seed: 1 });
    const port = Number(new URL(stage.url).port);
    visited = await visit(workshop, stage);
    const { page, go } = visited;
    await call(stage, '/api/ai/content/generate', { prompt: 'before' });
    await go('generations');
    await page.getByRole('link', { name: /^gen_/ }).waitFor();
    await stage.close();
    await page.getByText(/Connecting|Server away/).waitFor();
    stage = await openStage(workshop, { seed: 2 }, port);
    await page.getByText('Live', { exact: true }).waitFor({ timeout: 10_000 });
    await page.getByText('Nothing was generated yet').waitFor();
    await call(stage, '/api/ai/content/generate', { prompt: 'after' });
    await page.getByRole('link', { name: /^gen_/ }).waitFor();
  }, 30_000);

  test('it is steered by keyboard alone', async () => {
    stage = await openStage(workshop);
    visited = await visit(workshop, stage);
    const { page, go } = visited;
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
    await expect.poll(focused, { message: 'the focus is given back' }).toBe('Create key');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect.poll(focused).toBe('admin');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'admin' }).waitFor();
    await page.getByRole('link', { name: 'Close details' }).press('Escape');
    await page.getByRole('region', { name: 'admin' }).waitFor({ state: 'detached' });
    expect(visited.complaints).toEqual([]);
  });

  test('the theme is chosen and remembered', async () => {
    stage = await openStage(workshop);
    visited = await visit(workshop, stage);
    const { page, go } = visited;
    await go('overview');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await background()).not.toBe(light);
    await page.reload();
    expect(await background()).not.toBe(light);
  });

  test('the whole of it is at most 120 kB gzipped', async () => {
    const files = readdirSync(workshop.folder, { recursive: true, withFileTypes: true }).filter(
      (file) => file.isFile(),
    );
    const size = files.reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(file.parentPath, file.name))).length,
      0,
    );
    expect(size).toBeLessThan(120_000);
    stage = await openStage(workshop);
    visited = await visit(workshop, stage);
  });

  test('the page allows no inline code and nothing from elsewhere', async () => {
    stage = await openStage(workshop);
    visited = await visit(workshop, stage);
    const response = await fetch(stage.url);
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
      expect((await fetch(stage.url + path)).status).not.toBe(200);
    }
  });
});
