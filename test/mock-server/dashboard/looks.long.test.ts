import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import {
  type BuiltDashboard,
  callApi,
  openBuiltDashboard,
  receiverUrl,
  startServer,
  type TestServer,
  useDashboard,
  type View,
  views,
  violations,
  visit,
} from './harness.ts';

const lists = [
  'traffic/requests',
  'traffic/deliveries',
  'traffic/events',
  'records/generations',
  'records/keys',
  'records/registrations',
  'records/invoices',
];
const pages = ['overview', ...lists, 'try', 'time', 'nowhere'];

describe.runIf(needs('chromium'))('every page of the dashboard', { timeout: 120_000 }, () => {
  let built: BuiltDashboard;
  let server: TestServer;

  beforeAll(async () => {
    built = await openBuiltDashboard();
    server = await startServer(built);
    await callApi(server, '/api/webhooks', { event: 'data_updated', url: receiverUrl });
    await callApi(server, '/api/ai/content/generate', { prompt: 'x', webhookUrl: receiverUrl });
    server.receiverStatus = 500;
    server.mock.trigger('data_updated');
    server.mock.trigger('invoice_payment_failed');
    server.mock.faults.add({ operation: '*', effect: { delay: 1 }, times: 1 });
    await callApi(server, '/api/webhooks', { event: 'data_updated' });
    await server.mock.settle();
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await built.close();
  });

  for (const view of Object.keys(views) as View[]) {
    test(`${view}: axe finds nothing, nothing scrolls sideways, and the console stays empty`, async () => {
      const tab = await visit(built, server, view);
      const found: string[] = [];
      const check = async (name: string) => {
        found.push(...(await violations(tab.page, view)).map((line) => `${name}: ${line}`));
        const over = await tab.page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        );
        if (over > 0) found.push(`${name} scrolls sideways by ${over} px`);
      };
      for (const name of pages) {
        await tab.go(name);
        const row = tab.page.locator('.list tbody tr a').first();
        if (!lists.includes(name)) {
          await check(name);
          continue;
        }
        await row.waitFor();
        await check(name);
        await row.click();
        await tab.page.locator('.detail dl').waitFor();
        await check(`${name} detail`);
      }
      expect(found).toEqual([]);
      expect(tab.pageErrors).toEqual([]);
      await tab.close();
    });
  }

  test('the page allows no inline code and no other origin', async () => {
    const response = await fetch(server.url);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await response.text();
    expect(html).not.toMatch(/<script>|<style|style=|https?:/);
  });

  test('10 000 deliveries and a stream of more leave the list fast and bounded', async () => {
    const own = await startServer(built, { retention: { lines: 20_000 } });
    const webhookUrl = 'https://down.example/hooks';
    own.mock.receivers.set(webhookUrl, () => new Response('no', { status: 503 }));
    await callApi(own, '/api/ai/content/generate', { prompt: 'x', webhookUrl });
    await own.mock.settle();
    const id = own.mock.deliveries()[0]?.id ?? '';
    for (let turn = 1; turn < 10_000; turn += 1)
      own.mock.redeliver(id, { body: `{"turn":${turn}}` });
    await own.mock.settle();
    const tab = await visit(built, own);
    await tab.go('traffic/deliveries');
    await tab.page.getByText('50 of 10,000').waitFor();
    for (let shown = 150; shown <= 550; shown += 100) {
      await tab.page.getByRole('button', { name: 'More', exact: true }).click();
      await tab.page.getByText(`${shown} of 10,000`).waitFor();
    }
    await tab.page.getByText('Filter to see older ones.').waitFor();
    own.mock.redeliver(id, { body: '{"turn":"new"}' });
    await tab.page.getByText('of 10,001').waitFor();
    await tab.page.getByLabel('Filter deliveries').fill('"turn":77');
    await tab.page.getByText('50 of 111').waitFor();
    expect(tab.pageErrors).toEqual([]);
    await tab.close();
    await own.close();
  });
});

describe.runIf(needs('chromium'))('a list of the dashboard', { timeout: 60_000 }, () => {
  const dashboard = useDashboard();

  test('each row shows its event, its time and the whole URL, on a phone too', async () => {
    const url = `https://hooks.${'a-long-name-'.repeat(5)}.example:8443/${'deep/'.repeat(12)}?tenant=4711`;
    const { mock } = dashboard.server;
    mock.receivers.set(url, () => new Response());
    await dashboard.generate('far away', url);
    await mock.settle();
    const { page } = dashboard;
    await dashboard.go('traffic/deliveries');
    for (const { viewport } of [views.light, views.phone]) {
      await page.setViewportSize(viewport);
      const row = dashboard.rows();
      await row.waitFor();
      for (const text of ['generation_completed', '00:00:0', url]) {
        const cell = row.getByText(text).first();
        expect(await cell.isVisible(), text).toBe(true);
        const cut = await cell.evaluate(
          (node) =>
            node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline',
        );
        expect(cut, `${text} is cut off`).toBe(false);
      }
      const { x = 0, width = 9999 } = (await row.getByText(url).boundingBox()) ?? {};
      expect(x + width).toBeLessThanOrEqual(viewport.width);
    }
    await page.setViewportSize(views.light.viewport);
  });

  test('it works with only a keyboard', async () => {
    await dashboard.generate('typed');
    await dashboard.go('records/generations');
    await dashboard.rows().first().waitFor();
    const { keyboard } = dashboard.page;
    await dashboard.page.getByRole('searchbox').focus();
    await keyboard.type('typed');
    await dashboard.page.getByText('1 of 1').waitFor();
    await dashboard.rows().first().getByRole('link').focus();
    await keyboard.press('Enter');
    const heading = dashboard.detail().getByRole('heading', { level: 2 });
    await heading.waitFor();
    const focused = () => dashboard.page.evaluate(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toContain('Generation gen_');
    await keyboard.press('Escape');
    await heading.waitFor({ state: 'detached' });
    await expect.poll(focused, { message: 'the focus returns to the row' }).toMatch(/^gen_/);
  });
});
