import { describe, expect, test } from 'vitest';
import { connectMock } from '../../../mock-server/control-api/client/connect-mock.ts';
import { ContentGen } from '../../../src/index.ts';
import { attempted } from '../cli/invoke.ts';
import { receiver } from '../cli/receiver.ts';
import { ways } from './three-ways.ts';

async function setUp(open: (typeof ways)[number][1]) {
  const { mock, control } = await open();
  const client = new ContentGen({ ...mock.adminOptions, logLevel: 'off', maxRetries: 0 });
  return { mock, control, client };
}

describe.each(ways)('control %s', (_, way) => {
  const open = () => setUp(way);

  test('the clock returns its time and moves as far as requested, running the retries due on the way', async () => {
    const { control, client, mock } = await open();
    const hooks = await receiver(() => 500);
    expect(await control.clock.now()).toBe(Date.UTC(2026, 0, 1));
    await client.content.generate({ prompt: 'x', webhookUrl: hooks.url });
    await control.settle();
    await attempted(mock, 1);
    expect(await control.clock.advance('1 minute')).toBe(Date.UTC(2026, 0, 1, 0, 1));
    await attempted(mock, 2);
    expect(hooks.got).toHaveLength(2);
    expect(await control.clock.advance(1000)).toBe(Date.UTC(2026, 0, 1, 0, 1, 1));
  });

  test('anything but a duration is rejected', async () => {
    const { control } = await open();
    const wrong = async () => control.clock.advance('soon' as '1 day');
    await expect(wrong()).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('a token gives its user access until it expires', async () => {
    const { control, client, mock } = await open();
    const accessToken = await control.issueToken({ role: 'member', expiresIn: '1 hour' });
    const call = async () => {
      const response = await mock.fetch(`${mock.baseUrl}/api/usage`, {
        headers: { authorization: `Bearer ${accessToken}` },
      });
      return response.status;
    };
    expect(await call()).toBe(200);
    await control.clock.advance('2 hours');
    expect(await call()).toBe(401);
    const expired = await control.issueToken({ role: 'admin', expiresIn: -60_000 });
    expect(expired).not.toBe(accessToken);
    expect((await client.usage.get()).used).toBe(0);
  });

  test('a new organization has its own keys and is listed without them', async () => {
    const { control } = await open();
    const made = await control.createOrganization({ quota: 5 });
    expect(made).toMatchObject({
      organization: expect.stringMatching(/^org_/),
      project: expect.stringMatching(/^prj_/),
      adminKey: expect.stringMatching(/^cg_test_/),
      memberKey: expect.stringMatching(/^cg_test_/),
      signingSecret: expect.stringMatching(/^whsec_/),
    });
    const further = await control.createOrganization({ organization: made.organization });
    expect(further.organization).toBe(made.organization);
    const listed = await control.page.organizations();
    expect(listed.map(({ project }) => project)).toContain(further.project);
    expect(JSON.stringify(listed)).not.toContain('cg_test_');
    const nobody = async () => control.createOrganization({ organization: 'org_nobody' });
    await expect(nobody()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('an event is delivered to the webhooks registered for it', async () => {
    const { control, client, mock } = await open();
    const hooks = await receiver();
    expect(await control.trigger('invoice_paid')).toEqual([]);
    await client.webhooks.create({ event: 'invoice_paid', url: hooks.url });
    const made = await control.trigger('invoice_paid', { invoice: { amountDue: 99 } });
    expect(made).toMatchObject([{ event: 'invoice_paid', status: 'pending' }]);
    await control.settle();
    await attempted(mock, 1);
    const { invoice } = JSON.parse(String(hooks.got[0]?.body));
    expect(invoice).toMatchObject({ amountDue: 99, amountPaid: 99, status: 'paid' });
    const rain = async () => control.trigger('rain' as 'invoice_paid');
    await expect(rain()).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('invoices are created at the end of the month and can be paid or fail', async () => {
    const { control, client } = await open();
    await client.content.generate({ prompt: 'costs a little' });
    await control.clock.advance('31 days');
    const [invoice] = await control.billing.list();
    expect(invoice).toMatchObject({ amountDue: 1, status: 'open' });
    const id = String(invoice?.id);
    const failed = await control.billing.fail(id, 'card_expired');
    expect(failed).toMatchObject({ status: 'payment_failed', failureReason: 'card_expired' });
    expect(await control.billing.pay(id)).toMatchObject({ status: 'paid' });
    const twice = async () => control.billing.pay(id);
    await expect(twice()).rejects.toMatchObject({ code: 'invalid_state' });
    const none = async () => control.billing.pay('inv_none');
    await expect(none()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a fault takes effect as often as requested and can be removed', async () => {
    const { control, client } = await open();
    await control.faults.add({ operation: 'getUsage', times: 1, effect: { status: 503 } });
    const kept = await control.faults.add({ operation: '*', effect: { status: 500 } });
    expect((await control.faults.list()).map(({ effect }) => effect)).toEqual([
      { status: 503 },
      { status: 500 },
    ]);
    const status = async () => {
      const result = await client.usage.get().safe();
      return result.ok ? 200 : (result.error as { status?: number }).status;
    };
    expect([await status(), await status()]).toEqual([503, 500]);
    expect(await control.faults.remove(kept.id)).toBe(true);
    expect(await status()).toBe(200);
    expect(await control.faults.remove(kept.id)).toBe(false);
    const bad = async () => control.faults.add({ operation: 'x', effect: { rain: 1 } as never });
    await expect(bad()).rejects.toMatchObject({ code: 'validation_failed' });
    await control.faults.add({ delivery: '*', effect: { drop: true } });
    await control.faults.clear();
    expect(await control.faults.list()).toEqual([]);
  });

  test('the logs list requests, deliveries and events, and the page reads the newest first', async () => {
    const { control, client, mock } = await open();
    const hooks = await receiver();
    for (let call = 0; call < 5; call += 1) await client.usage.get();
    const job = await client.content.generate({ prompt: 'x', webhookUrl: hooks.url });
    await control.settle();
    await attempted(mock, 1);

    const requests = await control.requests();
    expect(requests.map(({ operation }) => operation)).toEqual([
      ...Array(5).fill('getUsage'),
      'generateContent',
    ]);
    expect(await control.requests({ limit: 2 })).toEqual(requests.slice(0, 2));
    const { requests: newest } = control.page.lists;
    const { data, total } = await newest({ limit: 2 });
    expect([data, total]).toEqual([requests.slice(-2).reverse(), 6]);
    const rest = await newest({ before: String(data[1]?.id) });
    expect(rest.data).toEqual(requests.slice(0, 4).reverse());

    const [delivery] = await control.deliveries();
    expect(delivery).toMatchObject({ requestId: job.requestId, status: 'delivered' });
    expect(delivery?.body).toBe(String(hooks.got[0]?.body));
    const { deliveries } = control.page.lists;
    expect((await deliveries({ id: String(delivery?.id) })).data).toEqual([delivery]);
    expect(await deliveries({ id: 'dlv_none' })).toEqual({ data: [], total: 0 });
    const types = (await control.events()).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['generation.completed', 'delivery.delivered']));
  });

  test('a long log is read completely', async () => {
    const { control, mock } = await open();
    for (let call = 0; call < 1005; call += 1) await mock.fetch(`${mock.baseUrl}/none`);
    expect(await control.requests()).toHaveLength(1005);
  });

  test('a snapshot restores everything, a reset deletes everything', async () => {
    const { control, client, mock } = await open();
    const { requestId } = await client.content.generate({ prompt: 'kept' });
    await control.clock.advance('1 day');
    const saved = JSON.parse(JSON.stringify(await control.snapshot()));
    expect(JSON.stringify(saved)).not.toContain(mock.adminKey);
    await control.reset();
    expect(await control.clock.now()).toBe(Date.UTC(2026, 0, 1));
    await expect(client.content.get(requestId)).rejects.toMatchObject({ status: 404 });
    await control.restore(saved);
    expect(await control.clock.now()).toBe(Date.UTC(2026, 0, 2));
    expect((await client.content.get(requestId)).status).toBe('completed');
    const bad = async () => control.restore({} as never);
    await expect(bad()).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

test('connectMock accepts the base URL with and without a prefix and a trailing slash', async () => {
  const asked: string[] = [];
  const fetch = (url: string | URL | Request) => {
    asked.push(String(url));
    return Promise.resolve(Response.json({ result: 1 }));
  };
  const texts = ['http://h:1', 'http://h:1/', 'http://h:1/_control', 'http://h:1/v2'];
  for (const url of [...texts, new URL('http://h:1')]) {
    await connectMock(url, { fetch: fetch as typeof globalThis.fetch }).clock.now();
  }
  expect(new Set(asked)).toEqual(new Set(['http://h:1/_control/call']));
});

test('a response from something other than a mock is not mistaken for a rejection', async () => {
  const fetch = () => Promise.resolve(new Response('<html>', { status: 404 }));
  const control = connectMock('http://h:1', { fetch });
  await expect(control.reset()).rejects.toMatchObject({
    name: 'MockControlError',
    status: 404,
    code: 'unexpected_response',
  });
});

test('if nothing is listening, the error says where it tried and what to start', async () => {
  const cause = new TypeError('fetch failed');
  const control = connectMock('http://h:1', { fetch: () => Promise.reject(cause) });
  await expect(control.reset()).rejects.toMatchObject({
    name: 'MockControlError',
    status: 0,
    code: 'unreachable',
    message: expect.stringContaining('http://h:1/_control'),
    cause,
  });
});
