import { describe, expect, test } from 'vitest';
import { needs } from '../../support/needs.ts';
import { callApi, receiverUrl, savedFile, useDashboard, violations } from './harness.ts';

describe.runIf(needs('chromium'))('the actions of the dashboard', { timeout: 45_000 }, () => {
  const dashboard = useDashboard();
  const { button, inDialog } = dashboard;
  const status = async (key: string) =>
    (await callApi(dashboard.server, '/api/usage', undefined, key)).status;
  const generate = (body: object) => callApi(dashboard.server, '/api/ai/content/generate', body);

  test('a key is created, shown once, copied, regenerated with a grace period and revoked', async () => {
    const { page, go } = dashboard;
    await go('keys');
    await button('Create key').click();
    await page.getByLabel('Name').fill('ci');
    await inDialog('Create key').click();
    const key = await page.getByRole('dialog').locator('.output').innerText();
    expect(key).toMatch(/^cg_test_/);
    expect(await status(key)).toBe(200);
    await button('Copy key').click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await page.keyboard.press('Escape');
    expect(
      await page.getByRole('dialog').count(),
      'Escape does not close the dialog with the key',
    ).toBe(1);
    await button('I have stored it').click();
    expect(await page.content()).not.toContain(key);

    await page.getByRole('link', { name: 'ci' }).click();
    await button('Regenerate…').click();
    await page.getByLabel('Grace period').selectOption('1 hour');
    await inDialog('Regenerate key').click();
    const next = await page.getByRole('dialog').locator('.output').innerText();
    await button('I have stored it').click();
    expect([await status(key), await status(next)]).toEqual([200, 200]);
    await dashboard.server.mock.clock.advance('61 minutes');
    expect([await status(key), await status(next)]).toEqual([401, 200]);

    await page.getByRole('link', { name: 'ci' }).nth(1).waitFor();
    await page.getByRole('link', { name: 'ci' }).first().click();
    await button('Revoke…').click();
    await inDialog('Revoke key').click();
    await page.getByRole('region', { name: 'ci' }).getByText('revoked', { exact: true }).waitFor();
    expect(await status(next)).toBe(401);
  });

  test('the playground responds, streams and acknowledges, and shows the call in code', async () => {
    const { page, go } = dashboard;
    await go('generate');
    await page.getByLabel('Prompt').fill("It's a test");
    await button('Generate').click();
    await page.getByText(/tokens, /).waitFor();
    await button('Stream').click();
    await button('Generate').click();
    await page.getByText(/tokens, /).waitFor();
    await button('Callback').click();
    await page.getByLabel('Callback URL').fill(receiverUrl);
    expect(await page.getByRole('region', { name: 'the TypeScript code' }).innerText()).toContain(
      `webhookUrl: '${receiverUrl}'`,
    );
    await button('curl').click();
    expect(await page.getByRole('region', { name: 'the curl code' }).innerText()).toContain(
      "It'\\''s a test",
    );
    await button('Generate').click();
    await page.getByText('processing', { exact: true }).waitFor();
    await dashboard.server.mock.settle();
    await page.getByText('completed', { exact: true }).waitFor();
    expect(dashboard.server.received).toHaveLength(1);
  });

  test('the error for a field is shown at the field', async () => {
    const { page, go } = dashboard;
    await go('generate');
    await page.getByLabel('Prompt').fill('');
    await button('Generate').click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Prompt').getAttribute('aria-invalid')).toBe('true');
  });

  test('a processing generation is followed and canceled', async () => {
    const { page, go } = dashboard;
    await go('generations');
    await page.getByText('No generations yet').waitFor();
    await generate({ prompt: 'later', webhookUrl: receiverUrl });
    await page.locator('.row-link').click();
    await button('Cancel').click();
    await page
      .getByRole('region', { name: 'Generation', exact: true })
      .getByText('canceled', { exact: true })
      .waitFor();
    await dashboard.server.mock.settle();
    expect(dashboard.server.received).toEqual([]);
  });

  test('a webhook is registered, tested, edited, rotated, disabled, enabled and deleted', async () => {
    const { page, go } = dashboard;
    await go('webhooks');
    await button('Register webhook').first().click();
    await page.getByRole('textbox', { name: 'URL', exact: true }).fill(receiverUrl);
    await page.getByLabel('Threshold, % of the quota').fill('50');
    await inDialog('Register webhook').click();
    expect(await page.getByRole('dialog').locator('.output').innerText()).toMatch(/^whsec_/);
    await button('I have stored it').click();

    await page.locator('.row-link').click();
    await button('Edit…').click();
    await page.getByLabel('Description').fill('Notifies the team');
    await inDialog('Save').click();
    await page.getByRole('heading', { name: 'Notifies the team' }).waitFor();

    await button('Rotate secret…').click();
    await page.getByLabel('Overlap', { exact: true }).selectOption('1 hour');
    await inDialog('Rotate secret').click();
    expect(await page.getByRole('dialog').locator('.output').innerText()).toMatch(/^whsec_/);
    await button('I have stored it').click();

    await button('Disable').click();
    await page.getByText('Disabled by an API call.').waitFor();
    await button('Enable').click();
    await button('Send a test').click();
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
    await dashboard.server.mock.settle();
    await page.locator('.detail').getByText('delivered · 200').waitFor();
    expect(
      dashboard.server.received[0]?.headers.get('x-service-signature')?.split(' '),
    ).toHaveLength(2);

    await go('webhooks');
    await page.locator('.row-link').click();
    await button('Delete…').click();
    await inDialog('Delete webhook').click();
    await page.getByText('No webhooks yet').waitFor();
  });

  test('an attempt shows its request and response, and its signature is verified step by step', async () => {
    const { page, go } = dashboard;
    dashboard.server.receiverStatus = 503;
    await generate({ prompt: 'hello', webhookUrl: receiverUrl });
    await dashboard.server.mock.settle();
    await go('deliveries');
    await page.locator('.row-link').click();
    const detail = page.locator('.detail');
    await detail.getByText('Attempt 1', { exact: true }).waitFor();
    await detail.getByText('503', { exact: true }).first().waitFor();
    expect(
      await detail.getByRole('region', { name: 'the response', exact: true }).innerText(),
    ).toBe('thanks');
    await button('Verify this signature').click();
    const steps = detail.locator('.steps > li');
    await detail.getByText('Result of verifyWebhook()').waitFor();
    expect(await steps.evaluateAll((all) => all.map((li) => li.getAttribute('data-tone')))).toEqual(
      Array.from({ length: 7 }, () => 'good'),
    );
    await page.getByLabel('Signing secret').fill(`whsec_${btoa('x'.repeat(32))}`);
    await detail.getByText('signature_mismatch').waitFor();
    expect(await violations(page)).toEqual([]);

    dashboard.server.receiverStatus = 200;
    await dashboard.server.mock.clock.advance('4 days');
    await detail.getByText('delivered · 200').waitFor();
    await button('Send now').click();
    await page.getByText('Resent with').waitFor();
    const before = dashboard.server.received.length;
    await dashboard.server.mock.settle();
    await detail.getByText(`Attempt ${before + 1}`, { exact: true }).waitFor();
    expect(new Set(dashboard.server.received.map((r) => r.headers.get('webhook-id'))).size).toBe(1);
  });

  test('an event is triggered with a custom payload', async () => {
    const { page, go } = dashboard;
    await callApi(dashboard.server, '/api/webhooks', { event: 'data_updated', url: receiverUrl });
    await go('events');
    await button('Trigger an event').click();
    await page.getByRole('dialog').getByLabel('Event').selectOption('data_updated');
    await page.getByLabel('Payload').fill('{ "source": "crm", "records": 7 }');
    await inDialog('Trigger').click();
    await page.getByText('data.updated').first().waitFor();
    await dashboard.server.mock.settle();
    expect(await dashboard.server.received[0]?.json()).toMatchObject({ source: 'crm', records: 7 });
  });

  test('a month ends with an invoice whose payment fails and then succeeds', async () => {
    const { page, go } = dashboard;
    await generate({ prompt: 'hello' });
    await go('billing');
    await page.getByText('No invoices yet').waitFor();
    await go('time');
    await button('+ 31 days').click();
    await page.getByText('Advanced by 31 days').waitFor();
    expect(new Date(dashboard.server.mock.clock.now()).toISOString()).toBe(
      '2026-02-01T00:00:00.000Z',
    );
    await go('billing');
    await page.getByRole('button', { name: /^Fail INV/ }).click();
    await page.getByLabel('Reason').fill('expired_card');
    await inDialog('Fail payment').click();
    await page.getByText('payment failed', { exact: true }).waitFor();
    await page.getByText('expired_card').waitFor();
    await page.getByRole('button', { name: /^Pay INV/ }).click();
    await page.locator('.badge', { hasText: /^paid$/ }).waitFor();
    expect(dashboard.server.mock.billing.list()[0]?.status).toBe('paid');
  });

  test('a fault is added, takes effect once and disappears; another is removed', async () => {
    const { page, go } = dashboard;
    await go('time');
    await button('Add fault').click();
    await inDialog('Add fault').click();
    await page.getByText('respond with a status: 503').waitFor();
    expect((await generate({ prompt: 'hello' })).status).toBe(503);
    await page.getByText('No active faults').waitFor();
    await button('Add fault').click();
    await page.getByLabel('Applies to').selectOption('a delivery');
    await page.getByLabel('Effect').selectOption('bad signature');
    await inDialog('Add fault').click();
    await button('Remove').click();
    await page.getByText('No active faults').waitFor();
    expect(dashboard.server.mock.faults.list()).toEqual([]);
  });

  test('a request appears as it happens, with its problem document', async () => {
    const { page, go } = dashboard;
    await go('requests');
    await page.getByText('No requests yet').waitFor();
    await generate({ prompt: '' });
    await page.locator('.row-link').click();
    const problem = await page.getByRole('region', { name: 'the problem document' }).innerText();
    expect(JSON.parse(problem.replaceAll('\u00a0', ' '))).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ pointer: '/prompt' }],
    });
  });

  test('viewing as a member shows the responses that a member gets', async () => {
    const { page, go } = dashboard;
    await go('keys');
    await button('Member').click();
    await page.getByText('insufficient_permissions').waitFor();
    await page.getByRole('link', { name: 'Generations' }).click();
    await page.getByText('No generations yet').waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await button('Admin').click();
    await page.getByRole('link', { name: 'admin' }).waitFor();
  });

  test('another organization shows its own data', async () => {
    const { page, go } = dashboard;
    await generate({ prompt: 'hello' });
    const other = dashboard.server.mock.createOrganization({ quota: 1000 });
    await go('generations');
    await page.locator('.row-link').waitFor();
    await page.getByLabel('Organization and project').selectOption(other.project);
    await page.getByText('No generations yet').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('meter', { name: 'Monthly quota used' }).waitFor();
    expect(await page.getByRole('meter').getAttribute('aria-valuemax')).toBe('1000');
  });

  test('the state is saved, reset and restored', async () => {
    const { page, go } = dashboard;
    await generate({ prompt: 'hello' });
    await go('time');
    const saved = page.waitForEvent('download');
    await button('Save snapshot').click();
    const file = await savedFile(await saved);
    await button('Reset…').click();
    await inDialog('Reset').click();
    await page.getByText('Server reset.').waitFor();
    await go('generations');
    await page.getByText('No generations yet').waitFor();
    await go('time');
    await page.getByLabel('Restore a snapshot').setInputFiles(file);
    await page.getByText('Snapshot restored.').waitFor();
    await go('generations');
    await page.locator('.row-link').waitFor();
  });
});
