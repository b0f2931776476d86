import { describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { callApi, receiverUrl, useDashboard, visit } from './harness.ts';

describe.runIf(needs('chromium'))('the lists of the dashboard', { timeout: 45_000 }, () => {
  const dashboard = useDashboard();

  test('a list is live, begins with the newest row, and counts all', async () => {
    await dashboard.go('records/generations');
    await dashboard.page.getByText('No generations. Start one on the page Try.').waitFor();
    await dashboard.generate('the first');
    await dashboard.rows().filter({ hasText: 'the first' }).waitFor();
    await dashboard.generate('the second');
    await dashboard.rows().nth(1).waitFor();
    expect(await dashboard.rows().first().innerText()).toContain('the second');
    await dashboard.page.getByText('2 of 2').waitFor();
  });

  test('the server filters by text and status, and the address keeps the filters', async () => {
    dashboard.server.receiverStatus = 503;
    await dashboard.generate('fails');
    await dashboard.server.mock.settle();
    dashboard.server.receiverStatus = 200;
    await dashboard.generate('works');
    await dashboard.server.mock.settle();
    await dashboard.go('traffic/deliveries');
    await dashboard.page.getByText('2 of 2').waitFor();
    await dashboard.page.getByLabel('Status').selectOption('delivered');
    await dashboard.page.getByText('1 of 1').waitFor();
    expect(await dashboard.rows().innerText()).toContain('delivered · 200');
    await dashboard.page.reload();
    await dashboard.page.getByText('1 of 1').waitFor();
    await dashboard.page.getByLabel('Filter deliveries').fill('no such word');
    await dashboard.page.getByText('Nothing matches the filters.').waitFor();
    await dashboard.page.getByLabel('Filter deliveries').fill('app.example');
    await dashboard.page.getByLabel('Status').selectOption('retrying');
    await dashboard.rows().filter({ hasText: 'retrying · 503' }).waitFor();
    expect(dashboard.page.url()).toContain('text=app.example&status=retrying');
  });

  test('More shows older rows', async () => {
    for (let turn = 0; turn < 60; turn += 1) dashboard.server.mock.trigger('invoice_paid');
    await dashboard.go('records/invoices');
    await dashboard.page.getByText('50 of 60').waitFor();
    await dashboard.button('More').click();
    await dashboard.page.getByText('60 of 60').waitFor();
  });

  test('each row shows its event, its time and the whole URL, on a phone too', async () => {
    const url = `https://hooks.${'a-long-name-'.repeat(5)}.example:8443/${'deep/'.repeat(12)}?tenant=4711`;
    dashboard.server.mock.receivers.set(url, () => new Response());
    await dashboard.generate('far away', url);
    await dashboard.server.mock.settle();
    for (const view of ['light', 'phone'] as const) {
      const tab = await visit(dashboard.built, dashboard.server, view);
      await tab.go('traffic/deliveries');
      const row = tab.page.locator('tbody tr');
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
      const box = await row.getByText(url).boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 9999)).toBeLessThanOrEqual(
        view === 'phone' ? 375 : 1280,
      );
      await tab.close();
    }
  });

  test('a delivery shows its attempts with the reasons, the next one, and its record to copy', async () => {
    dashboard.server.receiverStatus = 404;
    await dashboard.generate('lost');
    await dashboard.server.mock.settle();
    await dashboard.go('traffic/deliveries');
    await dashboard.rows().first().getByRole('link').click();
    const detail = dashboard.detail();
    await detail.getByText('attempt 1 · 404').waitFor();
    await detail.getByText('Every response other than 2xx counts as a failure.').waitFor();
    await detail.getByText('thanks', { exact: true }).waitFor();
    await detail.getByText('next attempt').waitFor();
    await detail.getByRole('button', { name: 'Copy The record as JSON' }).click();
    const [delivery] = dashboard.server.mock.deliveries();
    expect(JSON.parse(await dashboard.clipboard())).toEqual(delivery);
    await detail.getByRole('button', { name: 'Copy Body as sent' }).click();
    expect(await dashboard.clipboard(), 'byte for byte').toBe(delivery?.body);
    await detail.getByRole('link', { name: /^gen_/ }).click();
    await dashboard.detail().getByText('Its deliveries').waitFor();
  });

  test('a problem says why, and links to the request in the log', async () => {
    await callApi(dashboard.server, '/api/webhooks', { event: 'data_updated' });
    await dashboard.go('traffic/requests');
    await dashboard.page.getByLabel('Status').selectOption('problem');
    await dashboard.rows().first().getByRole('link').click();
    await dashboard.detail().getByText('validation_failed').first().waitFor();
    await dashboard.detail().getByText('X-Request-Id').waitFor();
  });

  test('it works with only a keyboard', async () => {
    await dashboard.generate('typed');
    await dashboard.go('records/generations');
    await dashboard.rows().first().waitFor();
    const { keyboard } = dashboard.page;
    await keyboard.press('/');
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

  test('with several organizations, one can be chosen', async () => {
    const { mock } = dashboard.server;
    const other = mock.createOrganization();
    await dashboard.generate('of the first');
    await callApi(
      dashboard.server,
      '/api/ai/content/generate',
      { prompt: '[[say: of the other]]' },
      other.adminKey,
    );
    await dashboard.go('records/generations');
    await dashboard.page.getByText('2 of 2').waitFor();
    await dashboard.page.getByLabel('Organization').selectOption(other.organization);
    await dashboard.page.getByText('1 of 1').waitFor();
    expect(await dashboard.rows().innerText()).toContain('of the other');
  });

  test('the overview has all that an application needs, the counts, and what failed', async () => {
    const { mock } = dashboard.server;
    dashboard.server.receiverStatus = 500;
    await dashboard.generate('refused');
    await mock.settle();
    await callApi(dashboard.server, '/api/nowhere');
    await dashboard.go('overview');
    const main = dashboard.page.locator('main');
    for (const text of [mock.adminKey, mock.memberKey, mock.signingSecret]) {
      await main.getByText(text, { exact: true }).waitFor();
    }
    await dashboard.button('Copy .env as environment variables').click();
    expect(await dashboard.clipboard()).toContain(`CONTENTGEN_API_KEY=${mock.adminKey}\n`);
    await main.getByText('404 not_found').waitFor();
    await main.getByText('retrying · 500').waitFor();
    await dashboard.page
      .getByRole('img', { name: /Requests per minute: 2 in .* 1 failed/ })
      .waitFor();
    await main.getByText(/^[1-9]\d* of 1,000,000 in this month/).waitFor();
    await dashboard.page.getByRole('link', { name: /^Retrying/ }).click();
    await dashboard.rows().filter({ hasText: receiverUrl }).waitFor();
  });

  test('the chosen theme is remembered', async () => {
    await dashboard.go('overview');
    await dashboard.button('Dark').click();
    await dashboard.page.reload();
    await dashboard.button('Light').click();
    expect(await dashboard.page.evaluate(() => ({ ...localStorage }))).toEqual({
      'contentgen-theme': 'light',
    });
    await dashboard.page.evaluate(() => localStorage.clear());
  });
});
