import { createMockServer, type MockServer } from 'contentgen/mock';
import { serve } from 'contentgen/mock/http';
import { connectMock, type MockControl } from 'contentgen/mock/remote';
import { verifyWebhook } from 'contentgen/webhooks';
import { describe, expect, onTestFinished, test } from 'vitest';

interface Setup {
  /** In process or remote: a test that awaits every call runs on both. */
  readonly control: MockControl | MockServer;
  readonly mock: MockServer;
  readonly received: Request[];
  respondWith(status: number): void;
  call(path: string, body?: object): Promise<Response>;
}

const hooks = 'https://app.example/hooks?tenant=7';

function setUp(mock: MockServer, control: Setup['control']): Setup {
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
    respondWith(next) {
      status = next;
    },
    call: (path, body) =>
      mock.fetch(mock.baseUrl + path, {
        headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
  };
}

function inProcess(): Promise<Setup> {
  const mock = createMockServer({ clock: 'manual', start: '2026-01-01', seed: 1 });
  onTestFinished(() => mock.close());
  return Promise.resolve(setUp(mock, mock));
}

async function remote(): Promise<Setup> {
  const mock = createMockServer({ clock: 'manual', start: '2026-01-01', seed: 1 });
  const server = await serve(mock, { port: 0, dashboard: false });
  onTestFinished(async () => {
    await server.close({ graceMs: 0 });
    await mock.close();
  });
  return setUp(mock, connectMock(server.url));
}

const generate = (prompt: string) => ({ prompt, webhookUrl: hooks });

describe.each([
  ['in process', inProcess],
  ['over HTTP', remote],
])('search %s', (_, open) => {
  test('deliveries are found by status, event, code, part of the URL, time and words, and every match is counted', async () => {
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
    const found = async (query: Parameters<MockServer['search']>[1]) =>
      (await control.search('deliveries', query)).total;
    expect(await found({})).toBe(4);
    expect(await found({ status: 'retrying' })).toBe(3);
    expect(await found({ status: 'delivered' })).toBe(1);
    expect(await found({ event: 'invoice_paid' })).toBe(1);
    expect(await found({ code: '503' })).toBe(3);
    expect(await found({ code: 'status', url: 'APP.example' })).toBe(3);
    expect(await found({ url: 'elsewhere' })).toBe(0);
    expect(await found({ since: '2026-01-01T00:00:01Z' })).toBe(1);
    expect(await found({ until: '2026-01-01T00:00:01Z' })).toBe(3);
    expect(await found({ text: 'stock tenant=7' })).toBe(4);
    expect(await found({ text: 'stock', status: 'retrying', organization: 'org_other' })).toBe(0);
    const page = await control.search('deliveries', {
      status: 'retrying',
      order: 'desc',
      limit: 2,
    });
    expect([page.data.length, page.total]).toEqual([2, 3]);
    const rest = await control.search('deliveries', {
      ...{ status: 'retrying', order: 'desc', limit: 2 },
      before: String(page.data[1]?.id),
    });
    expect([rest.data.length, rest.total]).toEqual([1, 3]);
    const wrong = async () => control.search('deliveries', { since: 'yesterday' });
    await expect(wrong()).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('requests are found by status, code, path and caller, including those that did not authenticate', async () => {
    const { control, mock, call } = await open();
    await call('/api/usage');
    await call('/api/ai/content/generate', { prompt: '' });
    await mock.fetch(`${mock.baseUrl}/api/usage`);
    const { organization } = mock;
    const found = async (query: Parameters<MockServer['search']>[1]) =>
      (await control.search('requests', { organization, anonymous: true, ...query })).total;
    expect(await found({})).toBe(3);
    expect(await found({ anonymous: false })).toBe(2);
    expect(await found({ status: 'problem' })).toBe(2);
    expect(await found({ status: '4xx', code: 'validation_failed' })).toBe(1);
    expect(await found({ status: '401' })).toBe(1);
    expect(await found({ url: '/usage' })).toBe(2);
    const [first] = (await control.search('requests', { url: '/usage', limit: 1 })).data;
    expect(await found({ exceptActor: String(first?.actor) })).toBe(1);
    expect(await found({ ids: [String(first?.id), 'rql_none'] })).toBe(1);
  });

  test('keys and registrations are found by name, status and event, and counted only in their project', async () => {
    const { control, mock, call } = await open();
    await call('/api/auth/api-keys', { name: 'mobile app' });
    await call('/api/webhooks', {
      event: 'data_updated',
      url: hooks,
      description: 'Nightly import',
    });
    const other = mock.createOrganization();
    const { project } = mock;
    expect((await control.search('apiKeys', { project })).total).toBe(3);
    expect((await control.search('apiKeys', { project, text: 'mobile' })).total).toBe(1);
    expect((await control.search('apiKeys', { project: other.project })).total).toBe(2);
    const { data } = await control.search('webhooks', { project, text: 'nightly' });
    expect(data).toMatchObject([{ event: 'data_updated', project }]);
    expect(JSON.stringify(data)).not.toContain('whsec_');
    expect((await control.search('webhooks', { project, status: 'failing' })).total).toBe(0);
  });

  test('failed deliveries are resent in bulk, and pending ones are brought forward', async () => {
    const { control, mock, respondWith, received, call } = await open();
    respondWith(500);
    await call('/api/ai/content/generate', generate('a'));
    await call('/api/ai/content/generate', generate('b'));
    await mock.settle();
    expect(received).toHaveLength(2);
    expect(await control.redeliver({ status: 'retrying', text: hooks })).toBe(2);
    await mock.settle();
    expect(received).toHaveLength(4);
    await mock.clock.advance('6 days');
    expect((await control.search('deliveries', { status: 'failed' })).total).toBe(2);
    respondWith(200);
    expect(await control.redeliver({ url: 'elsewhere' })).toBe(0);
    expect(await control.redeliver()).toBe(2);
    await mock.settle();
    expect((await control.search('deliveries', { status: 'delivered' })).total).toBe(2);
    const wrong = async () => control.redeliver({ status: 'delivered' });
    await expect(wrong()).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('an edited delivery is new, signed by the server, and sends exactly the given bytes', async () => {
    const { control, mock, received, call } = await open();
    await call('/api/ai/content/generate', generate('a'));
    await mock.settle();
    const [original] = await control.deliveries();
    const body = '{ "status":"completed",\n\t"result":"naïve 🙂" }';
    const edited = await control.resend(String(original?.id), { body });
    expect(edited.id).not.toBe(original?.id);
    expect(edited.messageId).not.toBe(original?.messageId);
    await mock.settle();
    const request = received[1] as Request;
    const bytes = new Uint8Array(await request.clone().arrayBuffer());
    expect(new TextDecoder().decode(bytes)).toBe(body);
    const { headers } = request;
    const options = { headers, body: bytes, secret: mock.signingSecret, now: mock.clock.now };
    expect((await verifyWebhook(options)).type).toBe('generation_completed');
    const repeated = await control.resend(String(original?.id), { keepMessageId: true });
    expect(repeated).toMatchObject({ messageId: original?.messageId, body: original?.body });
    const nobody = async () => control.resend('dlv_none', { body });
    await expect(nobody()).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a delivery of a disabled registration cannot be edited and resent', async () => {
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
    const resend = async () => control.resend(String(delivery?.id), { body: '{}' });
    await expect(resend()).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('activity counts everything that is stored, minute by minute', async () => {
    const { control, mock, respondWith, call } = await open();
    respondWith(404);
    await call('/api/ai/content/generate', generate('a'));
    await call('/api/nowhere');
    await mock.settle();
    await mock.clock.advance('1 minute');
    const { requests, attempts, deliveries } = await control.activity({
      organization: mock.organization,
      minutes: 2,
    });
    expect(requests).toMatchObject({
      total: 2,
      bad: 1,
      minutes: [{ good: 1, bad: 1 }, { good: 0 }],
    });
    expect(attempts.minutes).toMatchObject([{ good: 0, bad: 2 }, { bad: 0 }]);
    expect(deliveries).toMatchObject({ total: 1, pending: 1, retrying: 1, delivered: 0 });
    const other = await control.activity({ organization: 'org_other' });
    expect([other.requests.total, other.deliveries.total]).toEqual([0, 0]);
    const wrong = async () => control.activity({ minutes: 0 });
    await expect(wrong()).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('the keys of the first organization are shown while they are valid', async () => {
    const { control, mock, call } = await open();
    const { adminKey, memberKey, signingSecret, organization, project } = mock;
    expect(await control.access()).toEqual({
      ...{ adminKey, memberKey, signingSecret, organization, project },
    });
    const keys = (await control.search('apiKeys', { text: 'member' })).data;
    await call(`/api/auth/api-keys/${keys[0]?.id}/revoke`, {});
    expect(await control.access()).not.toHaveProperty('memberKey');
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
  const read = () => mock.search('generations', { text: 'story' }).data[0];
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
  expect(read()?.text).toBeUndefined();
});
