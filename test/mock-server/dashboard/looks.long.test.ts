import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import {
  type BuiltDashboard,
  callApi,
  openBuiltDashboard,
  receiverUrl,
  screenshot,
  startServer,
  type TestServer,
  type View,
  views,
  violations,
  visit,
} from './harness.ts';

const pages = [
  'overview',
  'generate',
  'generations',
  'requests',
  'keys',
  'webhooks',
  'billing',
  'deliveries',
  'events',
  'time',
];

describe.runIf(needs('chromium'))('every page, light, dark and on a phone', () => {
  let built: BuiltDashboard;
  let used: TestServer;
  let fresh: TestServer;

  beforeAll(async () => {
    built = await openBuiltDashboard();
    fresh = await startServer(built);
    used = await startServer(built, { quota: 2000 });
    await fill(used);
  }, 60_000);
  afterAll(async () => {
    await used.close();
    await fresh.close();
    await built.close();
  });

  for (const view of Object.keys(views) as View[]) {
    test(`${view}: full pages and their details have no accessibility violation and no console error`, async () => {
      const visited = await visit(built, used, view);
      const { page } = visited;
      const found: string[] = [];
      for (const name of pages) {
        await visited.go(name);
        await page.getByText('Loading…').waitFor({ state: 'detached' });
        found.push(...(await violations(page, view)).map((line) => `${name}: ${line}`));
        await screenshot(page, `${name}-${view}`);
        const row = page.locator('.row-link').first();
        if ((await row.count()) === 0) continue;
        await row.click();
        await page.locator('.detail .facts').waitFor();
        found.push(...(await violations(page, view)).map((line) => `${name} detail: ${line}`));
        await screenshot(page, `${name}-detail-${view}`);
        expect(await sideways(page), `${name} scrolls sideways`).toBe(0);
      }
      expect(found).toEqual([]);
      expect(visited.pageErrors).toEqual([]);
      await visited.close();
    }, 90_000);

    test(`${view}: empty pages and dialogs have no accessibility violation`, async () => {
      const visited = await visit(built, fresh, view);
      const { page } = visited;
      const found: string[] = [];
      const check = async (name: string) => {
        found.push(...(await violations(page, view)).map((line) => `${name}: ${line}`));
        await screenshot(page, `${name}-${view}`);
      };
      for (const name of [
        'overview',
        'generations',
        'requests',
        'webhooks',
        'billing',
        'deliveries',
      ]) {
        await visited.go(name);
        await page
          .getByText(/yet$|^Start here$|^No matching/)
          .first()
          .waitFor();
        await check(`empty-${name}`);
      }
      for (const [address, opener] of [
        ['keys', 'Create key'],
        ['webhooks', 'Register webhook'],
        ['webhooks', 'Signing secret…'],
        ['events', 'Trigger an event'],
        ['time', 'Add fault'],
        ['time', 'Reset…'],
      ] as const) {
        await visited.go(address);
        await page.getByRole('button', { name: opener }).first().click();
        await page.getByRole('dialog').waitFor();
        await check(`dialog-${opener.replaceAll(/\W+/g, '-').toLowerCase()}`);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Member' }).click();
      await visited.go('webhooks');
      await page.getByRole('alert').waitFor();
      await check('member');
      expect(found).toEqual([]);
      expect(visited.pageErrors).toEqual([]);
      await visited.close();
    }, 90_000);
  }

  test('the banner of an outage fits, light, dark and on a phone', async () => {
    for (const view of Object.keys(views) as View[]) {
      const own = await startServer(built);
      await callApi(own, '/api/ai/content/generate', { prompt: 'A haiku about TCP' });
      const visited = await visit(built, own, view);
      const { page } = visited;
      await visited.go('generations');
      await page.locator('.row-link').waitFor();
      await own.close();
      await page.getByRole('alert').getByText('The server is not responding.').waitFor();
      expect(await violations(page, view)).toEqual([]);
      expect(await sideways(page), view).toBe(0);
      await screenshot(page, `outage-${view}`);
      await visited.close();
    }
  });

  test.runIf(process.env['SCREENSHOTS'] === '1')(
    'a picture with 5 000 deliveries',
    async () => {
      const crowded = await startServer(built, { logLimit: 10_000 });
      await fill(crowded);
      const { mock } = crowded;
      const [shopping] = mock.search('deliveries', { event: 'invoice_paid' }).data;
      const [searching] = mock.search('deliveries', { event: 'data_updated' }).data;
      for (let turn = 0; turn < 5000; turn += 1) {
        const like = turn % 4 === 0 ? shopping : searching;
        if (turn % 250 === 0) await mock.clock.advance('1 minute');
        mock.resend(String(like?.id), { body: `{"turn":${turn}}` });
      }
      await mock.settle();
      const webhook = mock.search('webhooks', { event: 'invoice_paid' }).data[0]?.id;
      for (const view of Object.keys(views) as View[]) {
        const visited = await visit(built, crowded, view);
        for (const [name, address] of [
          ['overview', 'overview'],
          ['deliveries', 'deliveries?status=retrying'],
          ['delivery-detail', `deliveries/${shopping?.id}`],
          ['webhook-detail', `webhooks/${webhook}`],
        ] as const) {
          await visited.go(address);
          await visited.page.waitForLoadState('networkidle');
          await screenshot(visited.page, `crowded-${name}-${view}`);
        }
        await visited.close();
      }
      await crowded.close();
    },
    120_000,
  );
});

async function sideways(page: import('playwright').Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

const shop = 'https://shop.example/api/webhooks/contentgen?tenant=acme&environment=staging';
const flaky = 'https://flaky.example/hooks';
const gone = 'https://gone.example/hooks';
const note = (text: string, status: number) => () =>
  new Response(JSON.stringify({ error: text }), {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'shop-7f3a' },
  });

/** Some of everything. */
async function fill(server: TestServer): Promise<void> {
  const { mock } = server;
  let calls = 0;
  mock.receivers.set(shop, note('No route for /api/webhooks/contentgen', 404));
  mock.receivers.set(flaky, () => {
    calls += 1;
    return calls % 3 === 0 ? note('upstream timed out', 503)() : new Response('ok');
  });
  mock.receivers.set(gone, () => new Response('moved away', { status: 410 }));
  await callApi(server, '/api/auth/api-keys', { name: 'ci' });
  const { id } = (await (
    await callApi(server, '/api/auth/api-keys', { name: 'mobile app' })
  ).json()) as { id: string };
  await callApi(server, `/api/auth/api-keys/${id}/revoke`, {});
  for (const [event, url, description] of [
    ['usage_threshold', receiverUrl, 'Notifies the team at half of the quota'],
    ['data_updated', flaky, 'Search index'],
    ['invoice_paid', shop, 'Shop: books the invoice'],
    ['invoice_payment_failed', gone, 'Old billing system'],
  ] as const) {
    const threshold = event === 'usage_threshold' ? { threshold: 0.5 } : {};
    await callApi(server, '/api/webhooks', { event, url, description, ...threshold });
  }
  for (let turn = 0; turn < 24; turn += 1) {
    await callApi(server, '/api/ai/content/generate', { prompt: `Tell me about packet ${turn}` });
  }
  await callApi(server, '/api/ai/content/generate', { prompt: '' });
  await callApi(server, '/api/nowhere');
  await callApi(server, '/api/usage', undefined, 'cg_test_wrong');
  mock.trigger('invoice_payment_failed', { invoice: { amountDue: 1999 } });
  for (let turn = 0; turn < 9; turn += 1) mock.trigger('data_updated', { records: turn });
  await mock.clock.advance('7 minutes');
  mock.faults.add({ operation: 'cancelGeneration', effect: { status: 503 } });
  await callApi(server, '/api/ai/content/generate', {
    prompt: 'A haiku about TCP',
    webhookUrl: receiverUrl,
  });
  mock.trigger('invoice_paid', { invoice: { amountDue: 4200 } });
  await mock.settle();
  await callApi(server, '/api/ai/content/generate', { prompt: 'A limerick', webhookUrl: shop });
  await mock.clock.advance('6 minutes');
}
