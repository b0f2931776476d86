import { defineDeployment } from 'contentgen/deployment';
import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { needs } from '../../support/needs.ts';
import { callApi, receiverUrl, startServer, useDashboard, visit } from './harness.ts';

describe.runIf(needs('chromium'))('what the dashboard can do', { timeout: 45_000 }, () => {
  const dashboard = useDashboard();
  const mock = () => dashboard.server.mock;
  const result = () => dashboard.page.locator('pre').first();

  async function openFirst(address: string): Promise<void> {
    await dashboard.go(address);
    await dashboard.rows().first().getByRole('link').click();
    await dashboard.detail().waitFor();
  }

  test('a failed delivery is redelivered, one alone or all at once', async () => {
    dashboard.server.receiverStatus = 410;
    await dashboard.generate('one');
    await mock().settle();
    await mock().clock.advance('5 days');
    expect(mock().deliveries()[0]?.status).toBe('failed');
    dashboard.server.receiverStatus = 200;
    await openFirst('traffic/deliveries');
    await dashboard.button('Redeliver').click();
    await expect.poll(() => mock().deliveries()[0]?.status).toBe('delivered');
    await dashboard.detail().getByText('delivered · 200').first().waitFor();
  });

  test('an edited body is sent under the same webhook-id, signed by the server', async () => {
    await dashboard.generate('edit me');
    await mock().settle();
    await openFirst('traffic/deliveries');
    await dashboard.button('Edit and resend').click();
    await dashboard.page.getByLabel('Body').fill('{"edited":true}');
    await dashboard.page.getByLabel('Keep the webhook-id').check();
    await dashboard
      .detail()
      .locator('form')
      .getByRole('button', { name: 'Edit and resend' })
      .click();
    await expect.poll(() => dashboard.server.received.length).toBe(2);
    const [first, second] = dashboard.server.received;
    expect(await second?.text()).toBe('{"edited":true}');
    expect(second?.headers.get('webhook-id')).toBe(first?.headers.get('webhook-id'));
  });

  test('an invoice is paid, or its payment fails for a reason', async () => {
    mock().trigger('invoice_payment_failed');
    await openFirst('records/invoices');
    await dashboard.button('Fail the payment').click();
    await dashboard.page.getByLabel('Reason').fill('expired_card');
    await dashboard.detail().locator('form').getByRole('button').click();
    await dashboard.detail().locator('dd').getByText('expired_card').waitFor();
    await dashboard.button('Pay').click();
    await dashboard.detail().locator('dd mark').getByText('paid').waitFor();
    expect(mock().billing.list()[0]?.status).toBe('paid');
  });

  test('a key is rotated, which shows the new one, and revoked after a question', async () => {
    await callApi(dashboard.server, '/api/auth/api-keys', { name: 'laptop' });
    await openFirst('records/keys');
    await dashboard.button('Rotate').click();
    await dashboard.detail().locator('form').getByRole('button').click();
    await dashboard
      .detail()
      .getByText(/"key": "cg_test_/)
      .waitFor();
    await dashboard.go('records/keys');
    await dashboard.rows().filter({ hasText: 'laptop' }).filter({ hasText: 'revoked' }).waitFor();
    await dashboard
      .rows()
      .filter({ hasText: 'laptop' })
      .filter({ hasText: 'active' })
      .getByRole('link')
      .click();
    let asked = '';
    dashboard.page.once('dialog', (dialog) => {
      asked = dialog.message();
      void dialog.accept();
    });
    await dashboard.button('Revoke').click();
    await dashboard.detail().locator('dd mark').getByText('revoked').waitFor();
    expect(asked).toContain('laptop');
  });

  test('a registration is tested, disabled, moved and deleted', async () => {
    await callApi(dashboard.server, '/api/webhooks', { event: 'data_updated', url: receiverUrl });
    await openFirst('records/registrations');
    await dashboard.button('Send a test').click();
    await dashboard.page.getByText('"status": "pending"').first().waitFor();
    await mock().settle();
    await expect.poll(() => dashboard.server.received.length).toBe(1);
    await dashboard.button('Disable').click();
    await dashboard.detail().locator('dd mark').getByText('disabled').waitFor();
    await dashboard.button('Edit').click();
    await dashboard.page.getByLabel('URL').fill('http://plain.example/hooks');
    await dashboard.detail().locator('form').getByRole('button').click();
    await dashboard.page.getByRole('alert').waitFor();
    expect(await dashboard.page.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
    await dashboard.page.getByLabel('URL').fill('https://app.example/moved');
    await dashboard.detail().locator('form').getByRole('button').click();
    await dashboard.detail().locator('dd').getByText('https://app.example/moved').waitFor();
    dashboard.page.once('dialog', (dialog) => void dialog.accept());
    await dashboard.button('Delete').click();
    await dashboard.page.getByText('The server has no such record.').waitFor();
  });

  test('generating returns the result, streams it, or sends it to a callback', async () => {
    await dashboard.go('try/generate');
    await dashboard.page.getByLabel('Prompt').fill("It's a test");
    await dashboard.button('Generate').click();
    await dashboard.page.getByText('"status": "completed"').waitFor();
    await dashboard.page.getByLabel('Stream').check();
    await dashboard.page.getByText('curl -N').waitFor();
    await dashboard.button('Generate').click();
    await dashboard.page.getByRole('heading', { name: 'Text so far' }).waitFor();
    await dashboard.page.getByLabel('Stream').uncheck();
    await dashboard.page.getByLabel('Webhook URL').fill(receiverUrl);
    await dashboard.button('Generate').click();
    await dashboard.page.getByText('"status": "processing"').waitFor();
    await mock().settle();
    expect(dashboard.server.received).toHaveLength(1);
    const { data } = internalsOf(mock()).page.lists.generations();
    expect(data.map(({ delivery }) => delivery)).toEqual(['callback', 'stream', 'response']);
    expect(mock().requests().at(-1)?.actor, 'the log says who called').toBe('usr_dashboard');
  });

  test('on a server that plays a deployment, the page says what differs, and its calls speak it', async () => {
    const deployment = defineDeployment({
      webhookUrlField: 'callback',
      accessTokenHeader: 'X-Token',
    });
    const own = await startServer(dashboard.built, { deployment });
    const tab = await visit(dashboard.built, own);
    await tab.go('overview');
    await tab.page.getByText('"webhookUrlField": "callback"').waitFor();
    await tab.go('try/generate');
    await tab.page.getByLabel('Webhook URL').fill(receiverUrl);
    await tab.page.getByRole('button', { name: 'Generate', exact: true }).click();
    await tab.page.getByText('"status": "processing"').waitFor();
    expect(own.mock.requests()[0]).toMatchObject({ status: 202, body: { callback: receiverUrl } });
    await tab.close();
    await own.close();
  });

  test('the forms have the fields of the contract, and send only what was filled in', async () => {
    await dashboard.go('try/registration');
    await dashboard.page.getByLabel('Event').selectOption('usage_threshold');
    await dashboard.page.getByLabel('URL').fill(receiverUrl);
    await dashboard.page.getByLabel('Threshold').fill('0.5');
    await dashboard.button('Create the registration').click();
    await result().getByText('whsec_').waitFor();
    expect(mock().requests().at(-1)?.body).toMatchObject({
      event: 'usage_threshold',
      url: receiverUrl,
      threshold: 0.5,
    });
    await dashboard.go('try/key');
    await dashboard.page.getByLabel('Name').fill('ci');
    await dashboard.page.getByLabel('Role').selectOption('admin');
    await dashboard.button('Create the key').click();
    await dashboard.page.getByText(/"key": "cg_test_/).waitFor();
    await dashboard.go('try/organization');
    await dashboard.button('Create the organization').click();
    await dashboard.page.getByText('"memberKey"').waitFor();
    expect(internalsOf(mock()).page.organizations()).toHaveLength(2);
  });

  test('a signature is verified with what the receiver got, or the page says why it is not', async () => {
    await dashboard.generate('sign this');
    await mock().settle();
    const [delivery] = mock().deliveries();
    await dashboard.go('try/signature');
    const headers = JSON.stringify(delivery?.attempts[0]?.requestHeaders);
    await dashboard.page.getByLabel('Headers').fill(headers);
    await dashboard.page.getByLabel('Body').fill(String(delivery?.body));
    await dashboard.page
      .getByLabel('Secret')
      .fill(`whsec_${btoa('another secret of 32 bytes......')}`);
    await dashboard.button('Verify').click();
    await dashboard.page
      .getByRole('alert')
      .locator('code')
      .getByText('signature_mismatch')
      .waitFor();
    await dashboard.page.getByLabel('Secret').fill(mock().signingSecret);
    await dashboard.button('Verify').click();
    await result().getByText(String(delivery?.requestId)).waitFor();
  });

  test('time is advanced, by steps and to a time', async () => {
    await dashboard.go('time');
    await dashboard.button('+ 31 days').click();
    await dashboard.page.getByText('2026-02-01 00:00:00 UTC').first().waitFor();
    await dashboard.button('Advance to').click();
    await dashboard.page.getByLabel('Time', { exact: true }).fill('2026-01-01T00:00:00Z');
    const send = dashboard.page.locator('form').getByRole('button', { name: 'Advance to' });
    await send.click();
    await dashboard.page.getByRole('alert').getByText('only moves forward').waitFor();
    await dashboard.page.getByLabel('Time', { exact: true }).fill('2026-03-01T00:00:00Z');
    await send.click();
    await dashboard.page.getByText('2026-03-01 00:00:00 UTC').first().waitFor();
  });

  test('a fault is added, takes effect and is removed', async () => {
    await dashboard.go('time');
    await dashboard.page.getByLabel('Times').fill('2');
    await dashboard.button('Add the fault').click();
    await dashboard.page.getByText('2 more times').waitFor();
    expect(
      (await callApi(dashboard.server, '/api/ai/content/generate', { prompt: 'x' })).status,
    ).toBe(503);
    await dashboard.page.getByLabel('Strikes').selectOption('a delivery');
    await dashboard.page.getByLabel('Event').last().selectOption('invoice_paid');
    await dashboard.page.getByLabel('Effect').selectOption('duplicate');
    await dashboard.page.getByLabel('Further copies').fill('3');
    await dashboard.button('Add the fault').click();
    await dashboard.page.getByText('{"duplicate":3}').waitFor();
    await dashboard.button('Remove').first().click();
    await expect.poll(() => mock().faults.list().length).toBe(1);
  });

  test('an event is triggered with a payload, and a mistake in it is explained', async () => {
    await callApi(dashboard.server, '/api/webhooks', { event: 'data_updated', url: receiverUrl });
    await dashboard.go('time');
    await dashboard.page.getByLabel('Payload').fill('{"records":');
    await dashboard.button('Trigger').click();
    await dashboard.page.getByRole('alert').getByText('Payload is not JSON').waitFor();
    await dashboard.page.getByLabel('Payload').fill('{"records": 128}');
    await dashboard.button('Trigger').click();
    await dashboard.page.getByText('1 deliveries queued.').waitFor();
    await mock().settle();
    expect(await dashboard.server.received[0]?.json()).toMatchObject({ records: 128 });
  });

  test('the state is saved, reset and restored', async () => {
    await dashboard.generate('kept');
    await mock().settle();
    const snapshot = JSON.stringify(mock().snapshot());
    await dashboard.go('time');
    const saving = dashboard.page.waitForEvent('download');
    await dashboard.button('Save').click();
    expect((await saving).suggestedFilename()).toBe('contentgen-state.json');
    dashboard.page.once('dialog', (dialog) => void dialog.accept());
    await dashboard.button('Reset').click();
    await expect.poll(() => internalsOf(mock()).page.lists.generations().total).toBe(0);
    const file = {
      name: 'state.json',
      mimeType: 'application/json',
      buffer: Buffer.from(snapshot),
    };
    await dashboard.page.getByLabel('Restore from a file').setInputFiles(file);
    await expect.poll(() => internalsOf(mock()).page.lists.generations().total).toBe(1);
  });
});
