import { verifyWebhook } from 'contentgen/webhooks';
import { expect, test } from 'vitest';
import { internalsOf } from '../../../mock-server/composition/internals.ts';
import { contractServer, GENERATE } from '../service/helpers.ts';

const hooks = 'https://app.example/hooks?customer=7';

/** A server whose receiver responds with `status`, and what the page reads of it. */
function setUp(options: Parameters<typeof contractServer>[0] = {}) {
  const on = contractServer(options);
  const received: Request[] = [];
  let status = 200;
  on.mock.receivers.set(hooks, (request) => {
    received.push(request.clone());
    return new Response('out of stock', { status });
  });
  const { page } = internalsOf(on.mock);
  return {
    ...on,
    page,
    received,
    respondWith(next: number) {
      status = next;
    },
    generate: (prompt: string) => on.ok('POST', GENERATE, { prompt, webhookUrl: hooks }),
  };
}

test('deliveries are found by status, time and words, the newest first, and every match is counted', async () => {
  const { mock, page, respondWith, generate, ok } = setUp();
  respondWith(503);
  for (let turn = 0; turn < 3; turn += 1) await generate(`Ünïcode ${turn}`);
  await mock.settle();
  await mock.clock.advance('2 seconds');
  respondWith(200);
  await ok('POST', '/api/webhooks', { event: 'invoice_paid', url: hooks });
  mock.trigger('invoice_paid');
  await mock.settle();
  const queries: [Parameters<typeof mock.deliveries>[0], number][] = [
    [{}, 4],
    [{ status: 'retrying' }, 3],
    [{ status: 'delivered' }, 1],
    [{ text: 'INVOICE_PAID' }, 1],
    [{ text: '2026-01-01 00:00:02' }, 1],
    [{ text: 'elsewhere' }, 0],
    [{ since: '2026-01-01T00:00:01Z' }, 1],
    [{ text: 'stock customer=7' }, 4],
    [{ text: 'stock', status: 'retrying', organization: 'org_other' }, 0],
  ];
  for (const [query, count] of queries) {
    expect([query, mock.deliveries(query).length]).toEqual([query, count]);
    expect([query, page.list('deliveries', query).total]).toEqual([query, count]);
  }
  const oldestFirst = mock.deliveries({ status: 'retrying' });
  const { data, total } = page.list('deliveries', { status: 'retrying', limit: 2 });
  expect([data, total]).toEqual([oldestFirst.reverse().slice(0, 2), 3]);
  expect(page.list('deliveries', { limit: 1 }).data).toEqual(mock.deliveries().slice(-1));
});

test('requests are found by status and words, and one without an organization only among all', async () => {
  const { mock, call } = setUp();
  await call('GET', '/api/usage');
  await call('POST', GENERATE, { prompt: '' });
  await call('GET', '/api/usage', undefined, { key: null });
  const found = (query: Parameters<typeof mock.requests>[0]) => mock.requests(query).length;
  expect(found({})).toBe(3);
  expect(found({ organization: mock.organization })).toBe(2);
  expect(found({ status: 'problem' })).toBe(2);
  expect(found({ status: '4xx', text: 'validation_failed' })).toBe(1);
  expect(found({ status: '401' })).toBe(1);
  expect(found({ text: '/usage' })).toBe(2);
});

test('keys, registrations and invoices are found by name, status, amount and organization, without their secrets', async () => {
  const { mock, page, ok } = setUp();
  await ok('POST', '/api/auth/api-keys', { name: 'mobile app' });
  const hook = { event: 'data_updated', url: hooks, description: 'Nightly import' };
  await ok('POST', '/api/webhooks', hook);
  const other = mock.createOrganization();
  const { organization } = mock;
  expect(page.list('apiKeys', { organization }).total).toBe(3);
  expect(page.list('apiKeys', { organization, text: 'mobile' }).total).toBe(1);
  expect(page.list('apiKeys', { organization: other.organization }).total).toBe(2);
  const { data } = page.list('webhooks', { organization, text: 'nightly' });
  expect(data).toMatchObject([{ event: 'data_updated', organization }]);
  expect(JSON.stringify(data)).not.toContain('whsec_');
  expect(page.list('webhooks', { organization, status: 'failing' }).total).toBe(0);
  mock.trigger('invoice_paid', { invoice: { amountDue: 4200 } });
  expect(page.list('invoices', { text: '4200' }).total).toBe(1);
  const [event] = mock.events();
  const id = String(event?.id);
  expect(page.list('events', { id }).data).toEqual([event]);
  expect(page.list('events', { id, organization: other.organization }).total).toBe(0);
});

test('redelivered as it is, a delivery has the same bytes and webhook-id; with changes, it is a new one that the server signs', async () => {
  const { mock, received, generate } = setUp();
  await generate('a');
  await mock.settle();
  const [original] = mock.deliveries();
  const { id = '', messageId = '' } = original ?? {};
  expect(mock.redeliver(id)).toMatchObject({ id, messageId });
  await mock.settle();
  const bodies = await Promise.all(received.map((request) => request.text()));
  expect(bodies).toEqual([original?.body, original?.body]);

  const body = '{ "status":"completed",\n\t"result":"naïve 🙂" }';
  const edited = mock.redeliver(id, { body });
  expect(edited.id).not.toBe(id);
  expect(edited.messageId).not.toBe(messageId);
  const headers = { 'Webhook-Id': messageId, 'X-Trace': 'abc', 'Content-Type': 'text/plain' };
  expect(mock.redeliver(id, { headers })).toMatchObject({ messageId, body: original?.body });
  await mock.settle();
  const [, , first, second] = received as [Request, Request, Request, Request];
  const verified = async (request: Request) => {
    const bytes = new Uint8Array(await request.arrayBuffer());
    const { signingSecret: secret, clock } = mock;
    await verifyWebhook({ headers: request.headers, body: bytes, secret, now: clock.now });
    return new TextDecoder().decode(bytes);
  };
  expect(await verified(first)).toBe(body);
  expect(await verified(second)).toBe(original?.body);
  expect(second.headers.get('webhook-id')).toBe(messageId);
  expect(second.headers.get('x-trace')).toBe('abc');
  expect(second.headers.get('content-type')).toBe('text/plain');
});

test('the keys of the first organization are shown while they are valid', async () => {
  const { mock, page, call } = setUp();
  const { adminKey, memberKey, signingSecret, organization, baseUrl } = mock;
  expect(page.server()).toEqual({
    ...{ adminKey, memberKey, signingSecret, organization, baseUrl },
    project: internalsOf(mock).project,
    now: '2026-01-01T00:00:00.000Z',
    clock: 'manual',
  });
  const [key] = page.list('apiKeys', { text: 'member' }).data;
  await call('POST', `/api/auth/api-keys/${key?.id}/revoke`, {});
  expect(page.server()).not.toHaveProperty('memberKey');
  const snapshot = JSON.stringify(mock.snapshot());
  const shown = [signingSecret, adminKey, memberKey].map((secret) => snapshot.includes(secret));
  expect(shown).toEqual([true, false, false]);
});

test('a generation shows its prompt, the text so far, and the call that asked for it', async () => {
  const gate = Promise.withResolvers<void>();
  const { call, page } = setUp({
    async *generator() {
      yield 'Once upon';
      await gate.promise;
      yield ' a time';
    },
  });
  const headers = { 'x-request-id': 'my-call' };
  const response = call('POST', GENERATE, { prompt: 'A story' }, { headers });
  const read = () => page.list('generations', { text: 'my-call' }).data[0];
  await expect.poll(() => read()?.text).toBe('Once upon');
  const started = { prompt: 'A story', delivery: 'response', apiRequestId: 'my-call' };
  expect(read()).toMatchObject({ status: 'processing', ...started });
  gate.resolve();
  expect((await response).status).toBe(200);
  expect(read()).toMatchObject({ status: 'completed', result: 'Once upon a time' });
  expect(read()).not.toHaveProperty('text');
  expect(read()).not.toHaveProperty('prompt');
});
