import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SimulationError, simulate } from 'contentgen/simulate';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markAfterEffect } from '../../../examples/simulation/receivers/mark-after-effect.ts';
import { scenario } from '../../../examples/simulation/scenario.ts';
import { needs } from '../../support/needs.ts';
import {
  type BuiltDashboard,
  openBuiltDashboard,
  screenshot,
  startServer,
  type TestServer,
  type View,
  views,
  violations,
  visit,
} from './harness.ts';

describe.runIf(needs('chromium'))('the page for the failed run of a simulation', () => {
  let built: BuiltDashboard;
  let server: TestServer;
  let folder: string;
  let found: SimulationError;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'contentgen-simulation-'));
    built = await openBuiltDashboard();
    server = await startServer(built);
    const options = { ...scenario(markAfterEffect), seeds: 1000, reproductions: folder };
    const error: unknown = await simulate(options).catch((reason: unknown) => reason);
    if (!(error instanceof SimulationError)) throw error;
    found = error;
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await built.close();
    await rm(folder, { recursive: true });
  });

  const fileOf = () => `${found.file}`;
  const choose = (page: Page) => page.getByLabel(/^(Choose a file|Open another file)$/);

  test('is loaded when it is opened, and not before', async () => {
    const visited = await visit(built, server);
    const scripts: string[] = [];
    visited.page.on('response', (response) => scripts.push(response.url()));
    await visited.go('overview');
    expect(scripts.filter((url) => url.includes('simulation'))).toEqual([]);
    await visited.page.getByRole('link', { name: 'Simulation' }).click();
    await choose(visited.page).waitFor({ state: 'attached' });
    expect(scripts.filter((url) => /simulation.*\.(js|css)$/.test(url))).toHaveLength(2);
    await visited.close();
  });

  for (const view of Object.keys(views) as View[]) {
    test(`${view}: shows the seed, the failure, the faults and every step, and how to run it again`, async () => {
      const visited = await visit(built, server, view);
      const { page } = visited;
      await visited.go('simulation');
      await page.getByText('Drop a reproduction file here').waitFor();
      expect(await violations(page, view)).toEqual([]);
      await screenshot(page, `simulation-empty-${view}`);
      await choose(page).setInputFiles(fileOf());
      await page.getByRole('heading', { name: `Seed ${found.seed} fails` }).waitFor();
      const { trace, faults, replay, cause } = found.reproduction;
      const text = await page.getByRole('main').innerText();
      for (const part of [cause, replay, ...faults]) expect(text).toContain(part);
      expect(text).toContain(
        replay.replace(/^SIMULATE_SEED=\d+/, `SIMULATE_REPLAY=simulation-seed-${found.seed}.json`),
      );
      const steps = page.locator('.run > li');
      expect(await steps.count()).toBe(trace.filter(({ minor }) => !minor).length + 1);
      expect(await steps.filter({ hasText: 'CRASH' }).getByText('fault').count()).toBe(1);
      expect(await steps.last().innerText()).toContain(cause);
      expect(await violations(page, view)).toEqual([]);
      await page.getByLabel('Values and timers').check();
      const written = trace.find(({ detail }) => detail !== undefined)?.detail ?? '';
      await page.locator('.run code').getByText(written).first().waitFor();
      expect(await violations(page, view)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      await page.evaluate(() => document.querySelector('.main')?.scrollTo(0, 0));
      await screenshot(page, `simulation-${view}`);
      await steps.last().scrollIntoViewIfNeeded();
      await screenshot(page, `simulation-steps-${view}`);
      expect(visited.pageErrors).toEqual([]);
      await visited.close();
    }, 60_000);
  }

  test('a reproduction can be dropped, and any other file is rejected by name', async () => {
    const visited = await visit(built, server);
    const { page } = visited;
    await visited.go('simulation');
    await page.getByText('Drop a reproduction file here').waitFor();
    const drop = async (name: string, text: string) => {
      const data = await page.evaluateHandle(
        ([file = '', content = '']) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], file, { type: 'application/json' }));
          return transfer;
        },
        [name, text],
      );
      await page.dispatchEvent('.drop', 'dragover', { dataTransfer: data });
      await page.dispatchEvent('.drop', 'drop', { dataTransfer: data });
    };
    await drop('package.json', '{"name":"shop"}');
    await page.getByText('package.json is not a reproduction of a simulation').waitFor();
    await page.evaluate(() => {
      const { text } = Blob.prototype;
      Blob.prototype.text = function () {
        const isFolder = this instanceof File && this.name === 'shop';
        return isFolder ? Promise.reject(new DOMException('', 'NotFoundError')) : text.call(this);
      };
    });
    await drop('shop', '');
    await page.getByText('shop is not a reproduction of a simulation').waitFor();
    await drop('failed.json', await readFile(fileOf(), 'utf8'));
    await page.getByRole('heading', { name: `Seed ${found.seed} fails` }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(visited.pageErrors).toEqual([]);
    await visited.close();
  });

  test('a hostile file is shown as text, and visiting another page does not close it', async () => {
    const visited = await visit(built, server);
    const { page } = visited;
    await visited.go('simulation');
    const hostile = join(folder, 'hostile.json');
    const step = {
      at: Number.MAX_SAFE_INTEGER,
      who: '<b>x</b>',
      what: '<img src=x onerror=alert(1)>',
    };
    const trace = [{ at: -1, who: 'app', what: 'x'.repeat(5000) }, step];
    await writeFile(
      hostile,
      JSON.stringify({ ...found.reproduction, trace, cause: '<script>1</script>' }),
    );
    await choose(page).setInputFiles(hostile);
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await visited.go('events');
    await visited.go('simulation');
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(visited.pageErrors).toEqual([]);
    await visited.close();
  });
});
