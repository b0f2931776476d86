import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { defineDeployment } from '../../../src/deployment/index.ts';
import { needs } from '../../support/needs.ts';
import { callApi, receiverUrl, startServer, useDashboard, visit } from './harness.ts';

describe.runIf(needs('chromium'))('what the dashboard shows and does', { timeout: 60_000 }, () => {
  const dashboard = useDashboard();
  const mock = () => dashboard.server.mock;
  const { button, detail, rows } = dashboard;
  const field = (name: string) => dashboard.page.getByLabel(name, { exact: true });
  const says = (text: string | RegExp) => dashboard.page.getByText(text).first().waitFor();
  const isFact = (text: string) =>
    detail().locator('dd').getByText(text, { exact: true }).waitFor();
  const send = () => detail().locator('form').getByRole('button').click();
  const card = (title: string) =>
    dashboard.page.locator('article', {
      has: dashboard.page.getByRole('heading', { name: title }),
    });

  async function openFirst(address: string): Promise<void> {
    await dashboard.go(address);
    await rows().first().getByRole('link').first().click();
    await detail().waitFor();
  }

  /** Accepts the next question of the page, and returns what it says. */
  async function accepting(ask: () => Promise<void>): Promise<string> {
    let asked = '';
    dashboard.page.once('dialog', (dialog) => {
      asked = dialog.message();
      void dialog.accept();
    });
    await ask();
    return asked;
  }

  test('Overview: what an application needs, what happened by the minute, and what failed', async () => {
    dashboard.server.receiverStatus = 500;
    await dashboard.generate('refused');
    await mock().settle();
    await callApi(dashboard.server, '/api/nowhere');
    await callApi(dashboard.server, '/api/nowhere');
    await dashboard.go('overview');
    for (const text of [mock().adminKey, mock().memberKey, mock().signingSecret]) {
      await dashboard.page.getByText(text, { exact: true }).waitFor();
    }
    await button('Copy .env as environment variables').click();
    expect(await dashboard.clipboard()).toContain(`CONTENTGEN_API_KEY=${mock().adminKey}\n`);
    await says('404 not_found');
    await says('retrying · 500');
    const chart = { name: /Requests per minute: 3 in .* 2 failed/ };
    await dashboard.page.getByRole('img', chart).waitFor();
    await rows().filter({ hasText: receiverUrl }).first().waitFor();
  });

  test('a list is live, newest first, filtered by the server, as its address says, and shows more', async () => {
    await dashboard.go('traffic/deliveries');
    await says('No deliveries.');
    dashboard.server.receiverStatus = 503;
    await dashboard.generate('fails');
    await mock().settle();
    dashboard.server.receiverStatus = 200;
    await dashboard.generate('works');
    await mock().settle();
    await says('2 of 2');
    expect(await rows().first().innerText()).toContain('delivered · 200');
    await field('Status').selectOption('delivered');
    await says('1 of 1');
    await field('Filter deliveries').fill('no such word');
    await says('Nothing matches the filters.');
    await field('Filter deliveries').fill('app.example');
    await field('Status').selectOption('retrying');
    await rows().filter({ hasText: 'retrying · 503' }).waitFor();
    expect(dashboard.page.url()).toContain('text=app.example&status=retrying');
    for (let turn = 0; turn < 60; turn += 1) mock().trigger('invoice_paid');
    await dashboard.go('records/invoices');
    await says('50 of 60');
    await button('More').click();
    await says('60 of 60');
  });

  test('Traffic: why a delivery failed, what it sent, and sent again as it is or edited', async () => {
    dashboard.server.receiverStatus = 404;
    await dashboard.generate('lost');
    await mock().settle();
    await openFirst('traffic/deliveries');
    await says('attempt 1 · 404');
    await says('Every response other than 2xx counts as a failure.');
    await detail().getByText('thanks', { exact: true }).waitFor();
    await says('next attempt');
    await detail().getByRole('button', { name: 'Copy The record as JSON' }).click();
    expect(JSON.parse(await dashboard.clipboard())).toEqual(mock().deliveries()[0]);
    await detail().getByRole('button', { name: 'Copy Body as sent' }).click();
    expect(await dashboard.clipboard(), 'byte for byte').toBe(mock().deliveries()[0]?.body);
    await button('Edit and resend').click();
    await field('Body').fill('{"edited":true}');
    await field('Keep the webhook-id').check();
    dashboard.server.receiverStatus = 410;
    await send();
    await expect.poll(() => dashboard.server.received.length).toBe(2);
    const [first, second] = dashboard.server.received;
    expect(await second?.text()).toBe('{"edited":true}');
    expect(second?.headers.get('webhook-id')).toBe(first?.headers.get('webhook-id'));
    await mock().clock.advance('5 days');
    expect(mock().deliveries({ status: 'failed' })).toHaveLength(2);
    dashboard.server.receiverStatus = 200;
    await openFirst('traffic/deliveries');
    await button('Redeliver').click();
    await expect.poll(() => mock().deliveries({ status: 'delivered' }).length).toBe(1);
    await detail().getByText('delivered · 200').first().waitFor();
    await detail().getByRole('link', { name: /^gen_/ }).click();
    await says('Its deliveries');
    await callApi(dashboard.server, '/api/webhooks', { event: 'data_updated' });
    await openFirst('traffic/requests?status=problem');
    await detail().getByText('422 validation_failed').waitFor();
    await isFact('POST /api/webhooks');
  });

  test('Records: a key is rotated and revoked, an invoice paid or failed, a registration tested, moved and deleted', async () => {
    await callApi(dashboard.server, '/api/auth/api-keys', { name: 'laptop' });
    await openFirst('records/keys');
    await button('Rotate').click();
    await send();
    await isFact('revoked');
    await says(/"key": "cg_test_/);
    const laptop = rows().filter({ hasText: 'laptop' });
    await laptop.filter({ hasText: 'revoked' }).waitFor();
    await laptop.filter({ hasText: 'active' }).getByRole('link').click();
    expect(await accepting(() => button('Revoke').click())).toContain('laptop');
    await isFact('revoked');

    mock().trigger('invoice_payment_failed');
    await openFirst('records/invoices');
    await button('Fail the payment').click();
    await field('Reason').fill('expired_card');
    await send();
    await isFact('expired_card');
    await button('Pay').click();
    await isFact('paid');
    expect(mock().billing.list()[0]?.status).toBe('paid');

    await callApi(dashboard.server, '/api/webhooks', { event: 'data_updated', url: receiverUrl });
    await openFirst('records/registrations');
    await button('Send a test').click();
    await says('"status": "pending"');
    await mock().settle();
    await expect.poll(() => dashboard.server.received.length).toBe(1);
    await button('Disable').click();
    await isFact('disabled');
    await button('Edit').click();
    await field('URL').fill('http://plain.example/hooks');
    await send();
    await dashboard.page.getByRole('alert').waitFor();
    expect(await field('URL').getAttribute('aria-invalid')).toBe('true');
    await field('URL').fill('https://app.example/moved');
    await send();
    await isFact('https://app.example/moved');
    await accepting(() => button('Delete').click());
    await says('The server has no such record.');
  });

  test('Try: a result, a stream, a callback; a key and a registration, with the fields of the contract', async () => {
    await dashboard.go('try');
    await field('Prompt').fill("It's a test");
    await button('Generate').click();
    await says('"status": "completed"');
    await field('Stream').check();
    await button('Generate').click();
    await says('Text so far');
    await field('Stream').uncheck();
    await field('Webhook URL').fill(receiverUrl);
    await button('Generate').click();
    await says('"status": "processing"');
    await mock().settle();
    expect(dashboard.server.received).toHaveLength(1);
    const { data } = internalsOf(mock()).page.list('generations');
    expect(data.map(({ delivery }) => delivery)).toEqual(['callback', 'stream', 'response']);
    expect(mock().requests().at(-1)?.actor, 'the log says who called').toBe('usr_dashboard');
    const registration = card('Registration');
    await registration.getByLabel('Event').selectOption('usage_threshold');
    await registration.getByLabel('URL').fill(receiverUrl);
    await registration.getByLabel('Threshold').fill('0.5');
    await button('Create the registration').click();
    await registration.getByText('whsec_').waitFor();
    const sent = { event: 'usage_threshold', url: receiverUrl, threshold: 0.5 };
    expect(mock().requests().at(-1)?.body, 'only what was filled in').toEqual(sent);
    await card('API key').getByLabel('Role').selectOption('admin');
    await button('Create the key').click();
    await says(/"key": "cg_test_/);
  });

  test('on a server that plays a deployment, the page says what differs, and its calls speak it', async () => {
    const differs = { webhookUrlField: 'callback', accessTokenHeader: 'X-Token' };
    const own = await startServer(dashboard.built, { deployment: defineDeployment(differs) });
    const tab = await visit(dashboard.built, own);
    await tab.go('overview');
    await tab.page.getByText('"webhookUrlField": "callback"').waitFor();
    await tab.go('try');
    await tab.page.getByLabel('Webhook URL').fill(receiverUrl);
    await tab.page.getByRole('button', { name: 'Generate', exact: true }).click();
    await tab.page.getByText('"status": "processing"').waitFor();
    expect(own.mock.requests()[0]).toMatchObject({ status: 202, body: { callback: receiverUrl } });
    await tab.close();
    await own.close();
  });

  test('Time and faults: the clock moves, an event is raised, a fault strikes, the state is reset', async () => {
    await dashboard.go('time');
    await button('+ 31 days').click();
    await says('2026-02-01 00:00:00 UTC');

    await callApi(dashboard.server, '/api/webhooks', { event: 'data_updated', url: receiverUrl });
    await field('Payload').fill('{"records":');
    await button('Trigger').click();
    await says('Payload is not JSON');
    await field('Payload').fill('{"records": 128}');
    await button('Trigger').click();
    await says('1 deliveries queued.');
    await mock().settle();
    expect(await dashboard.server.received[0]?.json()).toMatchObject({ records: 128 });

    await field('Times').fill('2');
    await button('Add the fault').click();
    await says('2 more times');
    const { status } = await callApi(dashboard.server, '/api/ai/content/generate', { prompt: 'x' });
    expect(status).toBe(503);
    await field('Strikes').selectOption('invoice_paid');
    await button('Add the fault').click();
    await says('the effect on a delivery must be exactly one of');
    await field('Effect').fill('{"duplicate":3}');
    await button('Add the fault').click();
    await says('delivery of invoice_paid');
    await button('Remove').first().click();
    await expect.poll(() => mock().faults.list().length).toBe(1);
    await accepting(() => button('Reset').click());
    await says('None.');
    expect(mock().requests()).toEqual([]);
  });
});
