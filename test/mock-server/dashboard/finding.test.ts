import { describe, expect, test } from 'vitest';
import givenOnly from '../../../deployments/given-only.json' with { type: 'json' };
import { defineDeployment } from '../../../src/deployment/index.ts';
import { needs } from '../../support/needs.ts';
import { callApi, receiverUrl, startServer, useDashboard, visit } from './harness.ts';

describe.runIf(needs('chromium'))('finding things on the dashboard', { timeout: 45_000 }, () => {
  const dashboard = useDashboard();
  const { button, row, foot, clipboard, generate } = dashboard;
  const hash = () => dashboard.page.evaluate(() => location.hash);

  test('filters are applied by the server, kept in the address, and counted correctly', async () => {
    const { page, go } = dashboard;
    for (let turn = 0; turn < 130; turn += 1) {
      await generate(turn % 10 === 0 ? `needle ${turn}` : `hay ${turn}`);
    }
    await dashboard.server.mock.settle();
    dashboard.server.receiverStatus = 503;
    await generate('broken');
    await dashboard.server.mock.settle();
    await go('deliveries');
    await expect.poll(foot).toBe('131 rows');
    await page.getByLabel('Status').selectOption('retrying');
    await expect.poll(foot).toBe('1 row');
    await expect.poll(hash).toBe('#/deliveries?status=retrying');
    await button('Clear').click();
    await page.getByLabel('Code').fill('200');
    await expect.poll(foot).toBe('130 rows');
    await page.reload();
    await expect.poll(foot).toBe('130 rows');
    expect(await page.getByLabel('Code').inputValue()).toBe('200');
    await go('generations?text=needle');
    await expect.poll(foot).toBe('13 rows');
    await row(0).click();
    await expect.poll(hash).toMatch(/^#\/generations\/gen_\w+\?text=needle$/);
    await page.keyboard.press('Escape');
    await expect.poll(hash).toBe('#/generations?text=needle');
    await go('generations?text=nothing-like-it');
    await page.getByText('No matching generations').waitFor();
    await page.getByRole('link', { name: 'Clear the filters' }).click();
    await expect.poll(foot).toBe('131 rows');
    for (const amountDue of [4200, 1999, 500]) {
      dashboard.server.mock.trigger('invoice_paid', { invoice: { amountDue } });
    }
    dashboard.server.mock.trigger('invoice_payment_failed', {
      invoice: { failureReason: 'expired_card' },
    });
    await go('billing');
    await expect.poll(foot).toBe('4 rows');
    await page.getByLabel('Status').selectOption('payment_failed');
    await expect.poll(foot).toBe('1 row');
    await expect.poll(hash).toBe('#/billing?status=payment_failed');
    await row(0).click();
    await page.locator('.detail').getByText('expired_card').waitFor();
    await page.locator('.detail').getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText('No matching invoices').waitFor();
    for (const [address, rows] of [
      ['billing?status=paid', 4],
      ['billing?text=19.99', 1],
      ['billing?since=1h', 4],
      ['requests?status=4xx', 0],
      ['requests?url=generate', 131],
      ['keys?text=member', 1],
      ['events?event=delivery.attempted', 1],
    ] as const) {
      await go(address);
      if (rows === 0) await page.getByText('No matching requests').waitFor();
      else await expect.poll(foot).toBe(rows === 1 ? '1 row' : `${rows} rows`);
    }
  });

  test('a click anywhere on a row opens it, Escape closes it and the focus returns to the row', async () => {
    const { page, go } = dashboard;
    await callApi(dashboard.server, '/api/auth/api-keys', { name: 'one' });
    await go('keys');
    await row(2).waitFor();
    await page.locator('tbody tr').first().locator('td').nth(3).click();
    await page.getByRole('region', { name: 'one' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.detail').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe('one');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'one' }).waitFor();
  });

  test('a list shows 200 rows, and a button adds the next', async () => {
    const { page, go } = dashboard;
    for (let turn = 0; turn < 230; turn += 1) dashboard.server.mock.trigger('data_updated', {});
    const total = dashboard.server.mock.search('events', {}).total;
    await go('events');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(200);
    await button(`Show ${Math.min(200, total - 200)} more`).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(Math.min(400, total));
  });

  test('Escape closes a panel even before it is rendered', async () => {
    const { page, go } = dashboard;
    await go('keys?text=m');
    await row(0).waitFor();
    const after = await page.evaluate(() => {
      document.querySelector<HTMLElement>('.row-link')?.click();
      const opened = location.hash;
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      return [opened.replace(/key_\w+/, 'key'), location.hash];
    });
    expect(after).toEqual(['#/keys/key?text=m', '#/keys?text=m']);
    await dashboard.detail().waitFor({ state: 'detached' });
    await expect.poll(foot).toBe('2 rows');
  });

  test('a running generation shows its prompt and the text so far, a finished one its deliveries', async () => {
    const gate = Promise.withResolvers<void>();
    const own = await startServer(dashboard.built, {
      async *generator() {
        yield 'Once upon';
        await gate.promise;
        yield ' a time';
      },
    });
    const tab = await visit(dashboard.built, own);
    const call = callApi(own, '/api/ai/content/generate', { prompt: 'A long story' });
    await tab.go('generations');
    await tab.page.getByText('A long story').click();
    const panel = tab.page.locator('.detail');
    const { mock } = own;
    const url = `${mock.baseUrl}/api/ai/content/generate/${mock.search('generations').data[0]?.requestId}`;
    const headers = { 'x-api-key': mock.adminKey, accept: 'text/event-stream' };
    await (await mock.fetch(url, { headers })).body?.cancel();
    const resumed = await mock.fetch(url, { headers: { ...headers, 'last-event-id': '1' } });
    await panel.getByText('readers 1, cut 1, resumed 1').waitFor();
    await resumed.body?.cancel();
    await expect
      .poll(() => panel.getByRole('region', { name: 'the text so far' }).innerText())
      .toBe('Once upon');
    gate.resolve();
    expect((await call).status).toBe(200);
    await panel.getByRole('region', { name: 'the result' }).getByText('Once upon a time').waitFor();
    await panel.getByText('Total tokens').waitFor();
    await callApi(own, '/api/ai/content/generate', { prompt: 'told', webhookUrl: receiverUrl });
    await own.mock.settle();
    await tab.page.getByText('told').click();
    await panel.getByText('generation_completed to app.example').waitFor();
    expect(tab.pageErrors).toEqual([]);
    await tab.close();
    await own.close();
  });

  test('for the smallest service, the overview says what differs and has key and secret', async () => {
    const own = await startServer(dashboard.built, { deployment: defineDeployment(givenOnly) });
    const tab = await visit(dashboard.built, own);
    await tab.go('overview');
    await tab.page.getByText(/^Deployment: scheme, .*absent$/).waitFor();
    await tab.page.getByRole('button', { name: 'Show secrets' }).click();
    await tab.page.getByText(own.mock.adminKey, { exact: true }).waitFor();
    await tab.page.getByText(own.mock.signingSecret, { exact: true }).waitFor();
    await tab.page.getByText('The deployment that this server plays has no getUsage.').waitFor();
    expect(await tab.page.getByRole('alert').count()).toBe(0);
    await tab.close();
    await own.close();
  });

  test('the overview shows a working .env, correct counts, and names', async () => {
    const { page, go } = dashboard;
    await go('overview');
    await button('Copy .env').click();
    const { adminKey, signingSecret } = dashboard.server.mock;
    await expect
      .poll(clipboard)
      .toBe(
        [
          `CONTENTGEN_BASE_URL=${dashboard.server.url}`,
          `CONTENTGEN_API_KEY=${adminKey}`,
          `CONTENTGEN_WEBHOOK_SECRET=${signingSecret}`,
        ].join('\n'),
      );
    expect(await page.content()).not.toContain(adminKey);
    await button('Show secrets').click();
    await expect.poll(() => page.content()).toContain(adminKey);
    await callApi(dashboard.server, '/api/nowhere');
    await page.getByRole('link', { name: 'Problems 1' }).waitFor();
    await page.getByRole('link', { name: 'not_found GET /api/nowhere, key “admin”' }).waitFor();
    await page.getByText('Organization 1', { exact: true }).waitFor({ state: 'attached' });
  });

  test('a fault is limited to one organization', async () => {
    const { page, go } = dashboard;
    const other = dashboard.server.mock.createOrganization();
    await go('time');
    await button('Add fault').click();
    await page.getByRole('dialog').getByLabel('Organization').selectOption('Organization 2');
    await page.getByRole('dialog').getByRole('button', { name: 'Add fault' }).click();
    await page.getByRole('cell', { name: 'Organization 2' }).waitFor();
    expect(dashboard.server.mock.faults.list()).toMatchObject([
      { organization: other.organization },
    ]);
  });
});
