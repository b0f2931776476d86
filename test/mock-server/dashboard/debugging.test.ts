import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Download } from '@playwright/test';
import { verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, test } from 'vitest';
import { defineDeployment } from '../../../src/deployment/index.ts';
import { needs } from '../../support/needs.ts';
import { command } from '../cli/command.ts';
import {
  callApi,
  receiverUrl,
  savedFile,
  startServer,
  useDashboard,
  violations,
  visit,
} from './harness.ts';

describe.runIf(needs('chromium'))('debugging on the dashboard', { timeout: 45_000 }, () => {
  const dashboard = useDashboard();
  const { button, row, detail, foot, clipboard, generate } = dashboard;

  test('the copied curl command replays the exact bytes, and its signature verifies', async () => {
    const { page, go } = dashboard;
    const replay = await openReceiver();
    await generate('a', replay.url);
    await dashboard.server.mock.settle();
    const body = `{"status":"completed",\n "result":"it's “naïve” $HOME \`id\` \\\\ 🙂"}`;
    dashboard.server.mock.resend(String(dashboard.server.mock.deliveries()[0]?.id), { body });
    await dashboard.server.mock.settle();
    await go('deliveries');
    await row(0).click();
    await detail().getByText('delivered · 200').waitFor();
    await button('Copy as curl').click();
    await page.getByText('Receivers accept this signature until 00:05:00 UTC').waitFor();
    await promisify(execFile)('/bin/sh', ['-c', await clipboard()], { timeout: 10_000 });
    expect(replay.got).toHaveLength(3);
    const [, sent, replayed] = replay.got;
    expect(replayed?.body.equals(sent?.body as Buffer)).toBe(true);
    expect(replayed?.body.toString()).toBe(body);
    const event = await verifyWebhook({
      headers: replayed?.headers as Record<string, string>,
      body: replayed?.body as Buffer,
      secret: dashboard.server.mock.signingSecret,
      now: dashboard.server.mock.clock.now,
    });
    expect(event.type).toBe('generation_completed');
    await button('Copy the body as sent').click();
    expect(await clipboard()).toBe(body);
    await replay.close();
  });

  test("the copied curl command has the server's token header only if the registration has a token", async () => {
    const own = await startServer(dashboard.built, {
      deployment: defineDeployment({ tokenHeader: 'X-Shop-Token' }),
    });
    const tab = await visit(dashboard.built, own);
    const copied = async (event: string, token?: string) => {
      const hook = { event, url: receiverUrl, ...(token && { token }) };
      await callApi(own, '/api/webhooks', hook);
      own.mock.trigger(event as 'data_updated');
      await own.mock.settle();
      await tab.go(`deliveries/${own.mock.deliveries({ order: 'desc', limit: 1 })[0]?.id}`);
      await tab.page.getByRole('button', { name: 'Copy as curl' }).click();
      await tab.page.getByText('Copied. Receivers accept').last().waitFor();
      return tab.page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied('data_updated')).not.toMatch(/token/i);
    expect(await copied('invoice_paid', 'a-token-of-this-shop')).toContain(
      '-H "X-Shop-Token: $CONTENTGEN_WEBHOOK_TOKEN"',
    );
    expect(own.received.map(({ headers }) => headers.get('x-shop-token'))).toEqual([
      null,
      'a-token-of-this-shop',
    ]);
    await tab.close();
    await own.close();
  });

  test('doctor can read what the dashboard saves for it', async () => {
    const { page, go } = dashboard;
    await generate('a');
    await dashboard.server.mock.settle();
    await go('deliveries');
    await row(0).click();
    const downloads: Download[] = [];
    page.on('download', (download) => downloads.push(download));
    await button('Save for doctor').click();
    await page.getByText(/npx contentgen doctor --secret whsec_/).waitFor();
    await expect.poll(() => downloads.length).toBe(2);
    const files = await Promise.all(downloads.map(savedFile));
    const [headers, body] = files.sort((a) => (readFileSync(a, 'utf8').startsWith('{') ? 1 : -1));
    const { signingSecret } = dashboard.server.mock;
    const run = await command([
      ...['doctor', '--secret', signingSecret],
      ...['--headers', String(headers), '--body', String(body)],
    ]);
    expect(run.stdout).toContain('Valid: generation_completed msg_');
    expect(readFileSync(String(body), 'utf8')).toBe(dashboard.server.mock.deliveries()[0]?.body);
  });

  test('an edited delivery is signed by the server and followed', async () => {
    const { page, go } = dashboard;
    await generate('a');
    await dashboard.server.mock.settle();
    await go('deliveries');
    await row(0).click();
    await button('Edit and resend…').click();
    await page
      .getByRole('textbox', { name: 'Body' })
      .fill('{"status":"completed","result":"edited"}');
    await page.getByText('Valid JSON.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign and send' }).click();
    await page.getByText('signed by the server.').waitFor();
    await dashboard.server.mock.settle();
    await detail().getByText('delivered · 200').waitFor();
    const request = dashboard.server.received[1] as Request;
    const event = await verifyWebhook({
      headers: request.headers,
      body: await request.clone().text(),
      secret: dashboard.server.mock.signingSecret,
      now: dashboard.server.mock.clock.now,
    });
    expect(event).toMatchObject({ payload: { result: 'edited' } });
    await expect.poll(foot).toBe('2 rows');
  });

  test('a pending delivery is sent now, and the failed ones are resent in bulk', async () => {
    const { page, go } = dashboard;
    dashboard.server.receiverStatus = 404;
    for (const prompt of ['a', 'b', 'c']) await generate(prompt);
    await dashboard.server.mock.settle();
    await go('deliveries');
    await page.getByText('retrying · 404 · next in', { exact: false }).first().waitFor();
    const badge = page.locator('.feed .badge').first();
    expect(await badge.getAttribute('class')).toContain('warn');
    await row(0).click();
    await button('Send now').click();
    await page.getByText('The next attempt starts now.').waitFor();
    await dashboard.server.mock.settle();
    await detail().getByText('Attempt 2', { exact: true }).waitFor();
    await dashboard.server.mock.clock.advance('6 days');
    await detail().getByText('failed · 404').waitFor();
    dashboard.server.receiverStatus = 200;
    await button('Resend 3 failed').click();
    await page.getByText('Resent 3 deliveries.').waitFor();
    await dashboard.server.mock.settle();
    await detail().getByText('delivered · 200').waitFor();
    await button('Resend 3 failed').waitFor({ state: 'detached' });
    expect(dashboard.server.mock.search('deliveries', { status: 'delivered' }).total).toBe(3);
  });

  test('the longest cause fits into its column, even next to an open panel', async () => {
    const { page, go } = dashboard;
    await generate('a');
    await dashboard.server.mock.settle();
    await go('deliveries');
    const missing = () =>
      page
        .locator('.feed td .badge:visible')
        .first()
        .evaluate((badge) => {
          badge.textContent = 'retrying · refused address · next in 29 min';
          const cell = badge.closest('td') as HTMLElement;
          const end = cell.getBoundingClientRect().right;
          const space = end - Number.parseFloat(getComputedStyle(cell).paddingRight);
          return Math.max(0, badge.getBoundingClientRect().right - space);
        });
    expect(await missing()).toBe(0);
    await row(0).click();
    await detail().waitFor();
    expect(await missing()).toBe(0);
  });

  test('the attempts and the response come first, then the timeline', async () => {
    const { page, go } = dashboard;
    let tries = 0;
    const flaky = 'https://flaky.example/hooks';
    dashboard.server.mock.receivers.set(flaky, () => {
      tries += 1;
      const status = tries === 1 ? 404 : 503;
      return new Response(`try ${tries}`, { status, headers: { 'x-shop': 'eu-1' } });
    });
    await generate('a', flaky);
    await dashboard.server.mock.clock.advance('10 seconds');
    await go('deliveries');
    await row(0).click();
    const above = await detail()
      .getByRole('region', { name: 'the response', exact: true })
      .boundingBox();
    expect((above?.y ?? 999) + (above?.height ?? 0)).toBeLessThan(500);
    await detail()
      .getByText(/^Response headers/)
      .first()
      .click();
    expect(
      await detail().getByRole('region', { name: 'the response headers' }).innerText(),
    ).toContain('x-shop: eu-1');
    const steps = await detail().locator('.timeline > li').allInnerTexts();
    expect(steps.map((step) => step.split('\n')[1])).toEqual([
      'POST /api/ai/content/generate 202',
      'Generation accepted',
      'Generation completed',
      'Delivery queued; its body no longer changes',
      'Attempt 1: 404',
      'Attempt 2: 503',
      expect.stringMatching(/^Attempt 3: next in \d min$/),
    ]);
    expect(await violations(page)).toEqual([]);
  });
});

interface Replayed {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A real receiver, which curl can reach. */
async function openReceiver() {
  const got: Replayed[] = [];
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.end('ok');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    got,
    url: `http://127.0.0.1:${port}/it's?a=1&b=2`,
    close: () => new Promise((resolve) => http.close(resolve)),
  };
}
