import { describe, expect, onTestFinished, test } from 'vitest';
import {
  connectMock,
  type MockControl,
} from '../../../mock-server/control-api/client/connect-mock.ts';
import { serve } from '../../../mock-server/http/serve.ts';
import { createMockServer, type MockServer } from '../../../mock-server/index.ts';

const TARGET = 'https://app.example/hooks';

/** A server with one delivery, in this process and over HTTP. */
async function bothWays() {
  const mock = createMockServer({ clock: 'manual', seed: 1 });
  const served = await serve(mock, { port: 0 });
  onTestFinished(async () => {
    await served.close({ graceMs: 0 });
    await mock.close();
  });
  const bodies: string[] = [];
  mock.receivers.set(TARGET, async (request) => {
    bodies.push(await request.text());
    return new Response();
  });
  await mock.fetch(`${mock.baseUrl}/api/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': mock.adminKey, 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'data_updated', url: TARGET }),
  });
  const [delivery] = mock.trigger('data_updated');
  await mock.settle();
  bodies.length = 0;
  return { mock, remote: connectMock(served.url), id: delivery?.id ?? '', bodies };
}

type Call = (control: MockServer | MockControl, id: string) => unknown;

/** The code of the error, or undefined. */
async function codeOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

const wrong = <T>(value: unknown) => value as T;

describe('a mistake is rejected in process as it is over HTTP', () => {
  test.each<[string, Call]>([
    ['resend with a body that is no text', (on, id) => on.resend(id, wrong({ body: 5 }))],
    ['resend with an unknown option', (on, id) => on.resend(id, wrong({ colour: 1 }))],
    ['resend with keepMessageId as text', (on, id) => on.resend(id, wrong({ keepMessageId: 'y' }))],
    ['an order that does not exist', (on) => on.requests({ order: wrong('up') })],
    ['a limit that is no whole number', (on) => on.events({ limit: 1.5 })],
    ['a limit that is not a number', (on) => on.deliveries({ limit: Number.NaN })],
    ['a negative limit', (on) => on.requests({ limit: -1 })],
    ['a condition of a list that does not exist', (on) => on.billing.list(wrong({ colour: 1 }))],
    ['a count of what does not exist', (on) => on.activity(wrong({ colour: 1 }))],
    ['a token without a role', (on) => on.issueToken(wrong(undefined))],
    ['a token for nobody', (on) => on.issueToken({ role: 'admin', sub: '' })],
    ['a log of an empty organization', (on) => on.requests({ organization: '' })],
    ['a search in an empty project', (on) => on.search('webhooks', { project: '' })],
    ['a list of an empty organization', (on) => on.billing.list({ organization: '' })],
    ['a count of an empty organization', (on) => on.activity({ organization: '' })],
    ['redeliver for an empty organization', (on) => on.redeliver({ organization: '' })],
    [
      'trigger for an empty organization',
      (on) => on.trigger('invoice_paid', {}, wrong({ organization: '' })),
    ],
    [
      'a token of an empty organization',
      (on) => on.issueToken({ role: 'admin', organization: '' }),
    ],
    ['a project of an empty organization', (on) => on.createOrganization({ organization: '' })],
    [
      'a fault of an empty organization',
      (on) => on.faults.add(wrong({ operation: '*', organization: '', effect: { status: 500 } })),
    ],
    ['redeliver with an unknown condition', (on) => on.redeliver(wrong({ colour: 1 }))],
  ])('%s', async (_, call) => {
    const { mock, remote, id } = await bothWays();
    const codes = [await codeOf(() => call(mock, id)), await codeOf(() => call(remote, id))];
    expect(codes).toEqual(['validation_failed', 'validation_failed']);
  });
});

describe('what is right in process is right over HTTP', () => {
  test('a delivery is resent with an empty body', async () => {
    const { mock, remote, id, bodies } = await bothWays();
    mock.resend(id, { body: '' });
    await remote.resend(id, { body: '' });
    await mock.settle();
    expect(bodies).toEqual(['', '']);
  });

  test('deliveries are found and redelivered by their ids', async () => {
    const { mock, remote, id } = await bothWays();
    mock.receivers.set(TARGET, () => new Response(null, { status: 410 }));
    const [failed] = mock.trigger('data_updated');
    await mock.settle();
    const ids = [failed?.id ?? ''];
    for (const on of [mock, remote]) {
      expect(await on.deliveries({ ids })).toMatchObject([{ id: failed?.id, status: 'failed' }]);
      expect(await on.redeliver({ ids: [id] })).toBe(0);
      expect(await codeOf(() => on.redeliver({ ids, anonymous: true }))).toBe(undefined);
    }
  });

  test('rows of another organization are not found by their ids', async () => {
    const { mock, remote, id } = await bothWays();
    const { organization } = mock.createOrganization();
    for (const on of [mock, remote]) {
      expect(await on.deliveries({ ids: [id], organization })).toEqual([]);
      expect(await on.deliveries({ ids: [id], organization: mock.organization })).toHaveLength(1);
      expect((await on.search('webhooks', { ids: [id], project: 'none' })).total).toBe(0);
    }
  });

  test('a tenant can be passed where its organization is an option', async () => {
    const { mock, remote } = await bothWays();
    const tenant = mock.createOrganization();
    for (const on of [mock, remote]) {
      expect(await on.trigger('data_updated', {}, tenant)).toEqual([]);
      expect(await on.issueToken({ role: 'admin', ...tenant })).toMatch(/^ey/);
      expect(await on.billing.list(tenant)).toEqual([]);
      expect(await on.requests(tenant)).toEqual([]);
      expect(await on.redeliver(tenant)).toBe(0);
      expect((await on.activity(wrong(tenant))).requests.total).toBe(0);
    }
  });

  test('an undefined condition does not count', async () => {
    const { mock, remote } = await bothWays();
    const query = wrong<object>({ status: undefined, order: undefined, limit: undefined });
    for (const on of [mock, remote]) {
      expect(await on.requests(query)).toHaveLength(1);
      expect((await on.activity(wrong({ organization: undefined }))).requests.total).toBe(1);
    }
  });

  test.each(['status', 'event', 'code', 'url', 'text', 'webhook'])(
    'an empty %s is no condition',
    async (name) => {
      const { mock, remote } = await bothWays();
      const empty = { [name]: '' };
      for (const on of [mock, remote]) {
        expect(await on.deliveries(empty)).toHaveLength(1);
        expect(await on.redeliver({ ...empty, status: 'pending' })).toBe(0);
      }
    },
  );

  test('a status can be a number', async () => {
    const { mock, remote } = await bothWays();
    for (const on of [mock, remote]) {
      expect(await on.requests({ status: wrong(201) })).toHaveLength(1);
      expect(await on.requests({ status: wrong(404) })).toEqual([]);
    }
  });
});
