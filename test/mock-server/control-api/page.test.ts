import { createMockServer } from 'contentgen/mock';
import { verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { inProcess, throughConnectMock } from './three-ways.ts';

const hooks = 'https://app.example/hooks?customer=7';

/** A server whose receiver responds with `status`. */
async function setUp(open: typeof inProcess) {
  const { mock, control } = await open();
  const received: Request[] = [];
  let status = 200;
  mock.receivers.set(hooks, (request) => {
    received.push(request.clone());
    return new Response('out of stock', { status });
  });
  return {
    control,
    mock,
    received,
    respondWith(next: number) {
      status = next;
    },
    call: (path: string, body?: object) =>
      mock.fetch(mock.baseUrl + path, {
        headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
  };
}

const generate = (prompt: string) => ({ prompt, webhookUrl: hooks });

describe.each([
  ['in process', inProcess],
  ['over HTTP', throughConnectMock],
])('%s', (_, way) => {
  const open = () => setUp(way);

  test('deliveries are found by status, time and words, the newest first, and every match is counted', async () => {
    const { control, mock, respondWith, call } = await open();
    respondWith(503);
    for (let turn = 0; turn < 3; turn += 1) {
      await call('/api/ai/content/generate', generate(`Ünïcode ${turn}`));
    }
    await mock.settle();
    await mock.clock.advance('2 seconds');
    respondWith(200);
    await call('/api/webhooks', { event: 'invoice_paid', url: hooks });
    mock.trigger('invoice_paid');
    await mock.settle();
    const found = async (query: Parameters<typeof control.deliveries>[0]) =>
      (await control.deliveries(query)).length;
    expect(await found({})).toBe(4);
    expect(await found({ status: 'retrying' })).toBe(3);
    expect(await found({ status: 'delivered' })).toBe(1);
    expect(await found({ text: 'INVOICE_PAID' })).toBe(1);
    expect(await found({ text: '2026-01-01 00:00:02' })).toBe(1);
    expect(await found({ text: 'elsewhere' })).toBe(0);
    expect(await found({ since: '2026-01-01T00:00:01Z' })).toBe(1);
    expect(await found({ text: 'stock customer=7' })).toBe(4);
    expect(await found({ text: 'stock', status: 'retrying', organization: 'org_other' })).toBe(0);
    const { deliveries } = control.page.lists;
    const page = await deliveries({ status: 'retrying', limit: 2 });
    expect([page.data.length, page.total]).toEqual([2, 3]);
    const rest = await deliveries({ status: 'retrying', limit: 2, before: `${page.data[1]?.id}` });
    expect([rest.data.length, rest.total]).toEqual([1, 3]);
  });

  test('requests are found by status and words, and one without an organization only among all', async () => {
    const { control, mock, call } = await open();
    await call('/api/usage');
    await call('/api/ai/content/generate', { prompt: '' });
    await mock.fetch(`${mock.baseUrl}/api/usage`);
    const found = async (query: Parameters<typeof control.requests>[0]) =>
      (await control.requests(query)).length;
    expect(await found({})).toBe(3);
    expect(await found({ organization: mock.organization })).toBe(2);
    expect(await found({ status: 'problem' })).toBe(2);
    expect(await found({ status: '4xx', text: 'validation_failed' })).toBe(1);
    expect(await found({ status: '401' })).toBe(1);
    expect(await found({ text: '/usage' })).toBe(2);
  });

  test('keys and registrations are found by name, status and organization, without their secrets', async () => {
    const { control, mock, call } = await open();
    await call('/api/auth/api-keys', { name: 'mobile app' });
    await call('/api/webhooks', {
      event: 'data_updated',
      url: hooks,
      description: 'Nightly import',
    });
    const other = mock.createOrganization();
    const { organization } = mock;
    const { apiKeys, webhooks } = control.page.lists;
    expect((await apiKeys({ organization })).total).toBe(3);
    expect((await apiKeys({ organization, text: 'mobile' })).total).toBe(1);
    expect((await apiKeys({ organization: other.organization })).total).toBe(2);
    const { data } = await webhooks({ organization, text: 'nightly' });
    expect(data).toMatchObject([{ event: 'data_updated', organization }]);
    expect(JSON.stringify(data)).not.toContain('whsec_');
    expect((await webhooks({ organization, status: 'failing' })).total).toBe(0);
  });

  test('a row is found by its id, but not for another organization', async () => {
    const { control, mock } = await open();
    const [event] = await control.events();
    const { events } = control.page.lists;
    const { organization } = mock.createOrganization();
    expect((await events({ id: String(event?.id) })).data).toEqual([event]);
    expect((await events({ id: String(event?.id), organization })).total).toBe(0);
  });

  test('failed deliveries are sent again in bulk, and pending ones are brought forward', async () => {
    const { control, mock, respondWith, received, call } = await open();
    respondWith(500);
    await call('/api/ai/content/generate', generate('a'));
    await call('/api/ai/content/generate', generate('b'));
    await mock.settle();
    expect(received).toHaveLength(2);
    expect(await control.page.redeliver({ status: 'retrying', text: hooks })).toBe(2);
    await mock.settle();
    expect(received).toHaveLength(4);
    await mock.clock.advance('6 days');
    expect(await control.deliveries({ status: 'failed' })).toHaveLength(2);
    respondWith(200);
    expect(await control.page.redeliver({ text: 'elsewhere' })).toBe(0);
    expect(await control.page.redeliver()).toBe(2);
    await mock.settle();
    expect(await control.deliveries({ status: 'delivered' })).toHaveLength(2);
  });

  test('a delivery is sent again with the same bytes and webhook-id', async () => {
    const { control, mock, received, call } = await open();
    await call('/api/ai/content/generate', generate('a'));
    await mock.settle();
    const [original] = await control.deliveries();
    const again = await control.redeliver(String(original?.id));
    expect(again).toMatchObject({ id: original?.id, messageId: original?.messageId });
    await mock.settle();
    const bodies = await Promise.all(received.map((request) => request.text()));
    expect(bodies).toEqual([original?.body, original?.body]);
  });

  test('with changes, it is a new delivery, signed by the server, with exactly the given bytes and headers', async () => {
    const { control, mock, received, call } = await open();
    await call('/api/ai/content/generate', generate('a'));
    await mock.settle();
    const [original] = await control.deliveries();
    const body = '{ "status":"completed",\n\t"result":"naïve 🙂" }';
    const edited = await control.redeliver(String(original?.id), { body });
    expect(edited.id).not.toBe(original?.id);
    expect(edited.messageId).not.toBe(original?.messageId);
    await mock.settle();
    const request = received[1] as Request;
    const bytes = new Uint8Array(await request.clone().arrayBuffer());
    expect(new TextDecoder().decode(bytes)).toBe(body);
    const { headers } = request;
    const options = { headers, body: bytes, secret: mock.signingSecret, now: mock.clock.now };
    expect((await verifyWebhook(options)).type).toBe('generation_completed');

    const { messageId = '' } = original ?? {};
    const changed = { 'Webhook-Id': messageId, 'X-Trace': 'abc', 'Content-Type': 'text/plain' };
    const copy = await control.redeliver(String(original?.id), { headers: changed });
    expect(copy).toMatchObject({ messageId, body: original?.body });
    await mock.settle();
    const sent = received[2] as Request;
    expect(sent.headers.get('x-trace')).toBe('abc');
    expect(sent.headers.get('content-type')).toBe('text/plain');
    const again = { headers: sent.headers, body: new Uint8Array(await sent.arrayBuffer()) };
    expect((await verifyWebhook({ ...options, ...again })).id).toBe(messageId);
  });

  test('a delivery of a disabled registration cannot be sent again', async () => {
    const { control, mock, call } = await open();
    const { id } = (await (
      await call('/api/webhooks', { event: 'invoice_paid', url: hooks })
    ).json()) as { id: string };
    const [delivery] = mock.trigger('invoice_paid');
    await mock.settle();
    await mock.fetch(`${mock.baseUrl}/api/webhooks/${id}`, {
      method: 'PATCH',
      headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
      body: '{"status":"disabled"}',
    });
    for (const changes of [undefined, { body: '{}' }]) {
      const again = async () => control.redeliver(String(delivery?.id), changes);
      await expect(again()).rejects.toMatchObject({ code: 'invalid_state' });
    }
  });

  test('activity counts everything that is stored, minute by minute', async () => {
    const { control, mock, respondWith, call } = await open();
    respondWith(404);
    await call('/api/ai/content/generate', generate('a'));
    await call('/api/nowhere');
    await mock.settle();
    await mock.clock.advance('1 minute');
    const { organization } = mock;
    const counts = await control.page.activity({ organization, minutes: 2 });
    const { requests, attempts, deliveries } = counts;
    expect(requests).toMatchObject({
      total: 2,
      bad: 1,
      minutes: [{ good: 1, bad: 1 }, { good: 0 }],
    });
    expect(attempts.minutes).toMatchObject([{ good: 0, bad: 2 }, { bad: 0 }]);
    expect(deliveries).toMatchObject({ total: 1, pending: 1, retrying: 1, delivered: 0 });
    const other = await control.page.activity({ organization: 'org_other' });
    expect([other.requests.total, other.deliveries.total]).toEqual([0, 0]);
  });

  test('the keys of the first organization are shown while they are valid', async () => {
    const { control, mock, call } = await open();
    const { adminKey, memberKey, signingSecret, organization, baseUrl } = mock;
    expect(await control.page.server()).toEqual({
      ...{ adminKey, memberKey, signingSecret, organization, baseUrl },
      project: internalsOf(mock).project,
      now: '2026-01-01T00:00:00.000Z',
      clock: 'manual',
      waitingFor: [],
    });
    const keys = (await control.page.lists.apiKeys({ text: 'member' })).data;
    await call(`/api/auth/api-keys/${keys[0]?.id}/revoke`, {});
    expect(await control.page.server()).not.toHaveProperty('memberKey');
  });
});

test('a generation shows its prompt, the text so far, and the call that asked for it', async () => {
  const gate = Promise.withResolvers<void>();
  const mock = createMockServer({
    clock: 'manual',
    async *generator() {
      yield 'Once upon';
      await gate.promise;
      yield ' a time';
    },
  });
  onTestFinished(() => mock.close());
  const response = mock.fetch(`${mock.baseUrl}/api/ai/content/generate`, {
    method: 'POST',
    headers: {
      'x-api-key': mock.adminKey,
      'content-type': 'application/json',
      'x-request-id': 'my-call',
    },
    body: JSON.stringify({ prompt: 'A story' }),
  });
  const read = () => internalsOf(mock).page.lists.generations({ text: 'my-call' }).data[0];
  await expect.poll(() => read()?.text).toBe('Once upon');
  expect(read()).toMatchObject({
    status: 'processing',
    prompt: 'A story',
    delivery: 'response',
    apiRequestId: 'my-call',
  });
  gate.resolve();
  expect((await response).status).toBe(200);
  expect(read()).toMatchObject({ status: 'completed', result: 'Once upon a time' });
  expect(read()).not.toHaveProperty('text');
  expect(read()).not.toHaveProperty('prompt');
});
