import { expect, test } from 'vitest';
import { contractServer, GENERATE, inbox, listening } from './helpers.ts';

interface Page {
  readonly data: readonly { readonly id: string; readonly requestId: string; status: string }[];
  readonly nextCursor: string | null;
}
interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly nextAttemptAt?: string;
  readonly attempts: readonly unknown[];
}
const url = 'https://app.example/hooks';
const callbacks = '/api/webhooks/deliveries';
const fromStart = { since: '2026-01-01T00:00:00.000Z' };

const idsOf = ({ data }: Page) => data.map(({ id, requestId }) => requestId ?? id);

test('generations are listed from a time on, page by page, in any state or one', async () => {
  const { ok, call, mock } = contractServer();
  const made: string[] = [];
  for (const prompt of ['one', 'two', '[[fail]]', 'four']) {
    const response = await call('POST', GENERATE, { prompt });
    const { requestId, generationId } = await response.json();
    made.unshift(generationId ?? requestId);
    await mock.clock.advance('1 hour');
  }
  const since = '2026-01-01T01:00:00.000Z';
  expect(idsOf(await ok<Page>('GET', `${GENERATE}?since=${since}`))).toEqual(made.slice(0, 3));
  const first = await ok<Page>('GET', `${GENERATE}?since=${since}&limit=2`);
  expect(idsOf(first)).toEqual(made.slice(0, 2));
  const second = await ok<Page>('GET', `${GENERATE}?since=${since}&cursor=${first.nextCursor}`);
  expect([idsOf(second), second.nextCursor]).toEqual([[made[2]], null]);
  const failed = await ok<Page>('GET', `${GENERATE}?since=${since}&status=failed`);
  expect(idsOf(failed)).toEqual([made[1]]);
  const offset = encodeURIComponent('2026-01-01T04:00:00+02:00');
  expect(idsOf(await ok<Page>('GET', `${GENERATE}?since=${offset}`))).toEqual(made.slice(0, 2));
});

test("a webhook's deliveries are listed by state and time", async () => {
  const { ok, mock, hook } = await listening('data_updated');
  mock.trigger('data_updated');
  await mock.settle();
  await mock.clock.advance('1 hour');
  mock.receivers.set(url, () => new Response(null, { status: 500 }));
  mock.trigger('data_updated');
  await mock.settle();
  const list = (query: string) => ok<Page>('GET', `/api/webhooks/${hook.id}/deliveries?${query}`);
  const states = async (query: string) => (await list(query)).data.map(({ status }) => status);
  expect(await states('')).toEqual(['pending', 'delivered']);
  expect(await states('status=delivered')).toEqual(['delivered']);
  expect(await states('status=failed')).toEqual([]);
  expect(await states('since=2026-01-01T01:00:00.000Z')).toEqual(['pending']);
  expect(await states('since=2026-01-01T01:00:00.000Z&status=delivered')).toEqual([]);
  await mock.clock.advance('5 days');
  expect(await states('status=failed')).toEqual(['failed']);
});

test('result callbacks are listed by state, time and generation, for their own project only', async () => {
  const on = contractServer();
  const { ok, mock } = on;
  inbox(on, url);
  const generate = (prompt: string) =>
    ok<{ requestId: string }>('POST', GENERATE, { prompt, webhookUrl: url });
  const first = await generate('one');
  await mock.settle();
  await mock.clock.advance('1 hour');
  mock.receivers.set(url, () => new Response(null, { status: 500 }));
  const second = await generate('two');
  await mock.settle();
  const list = async (query: string, key = mock.adminKey) =>
    idsOf(await ok<Page>('GET', `${callbacks}?${query}`, undefined, { key }));
  expect(await list('')).toEqual([second.requestId, first.requestId]);
  expect(await list('status=pending')).toEqual([second.requestId]);
  expect(await list('status=delivered')).toEqual([first.requestId]);
  expect(await list('since=2026-01-01T00:30:00Z')).toEqual([second.requestId]);
  expect(await list(`requestId=${first.requestId}&status=delivered`)).toEqual([first.requestId]);
  expect(await list(`requestId=${first.requestId}&status=pending`)).toEqual([]);
  const { adminKey } = mock.createOrganization();
  expect(await list('status=delivered', adminKey)).toEqual([]);
  expect(await list(`requestId=${first.requestId}&status=delivered`, adminKey)).toEqual([]);
});

test('redelivering a pending delivery starts its next attempt now and keeps the schedule', async () => {
  const { ok, mock, hook } = await listening('data_updated');
  mock.receivers.set(url, () => new Response(null, { status: 500 }));
  mock.trigger('data_updated');
  await mock.clock.advance('10 seconds');
  const latest = async () =>
    (await ok<{ data: Delivery[] }>('GET', `/api/webhooks/${hook.id}/deliveries`)).data[0];
  const waiting = await latest();
  expect(waiting?.attempts).toHaveLength(2);
  const again = await ok<Delivery>('POST', `${callbacks}/${waiting?.id}/redeliver`);
  const now = new Date(mock.clock.now()).toISOString();
  expect(again).toMatchObject({ status: 'pending', nextAttemptAt: now });
  await mock.settle();
  const third = await latest();
  expect(third?.attempts).toHaveLength(3);
  // The third attempt has failed, so the fourth follows after 30 minutes, give or take a fifth.
  const wait = Date.parse(third?.nextAttemptAt ?? '') - mock.clock.now();
  expect(wait).toBeGreaterThanOrEqual(24 * 60_000);
  expect(wait).toBeLessThanOrEqual(36 * 60_000);
  await mock.clock.advance('5 minutes');
  expect((await latest())?.attempts).toHaveLength(3);
});

test('callbacks that the receiver has acknowledged are sent again with status delivered', async () => {
  const on = contractServer();
  const { mock, ok } = on;
  inbox(on, url);
  await ok('POST', GENERATE, { prompt: 'one', webhookUrl: url });
  await mock.settle();
  expect(await ok('POST', `${callbacks}/redeliver`, fromStart)).toEqual({ count: 0 });
  const again = { ...fromStart, status: 'delivered' };
  expect(await ok('POST', `${callbacks}/redeliver`, again)).toEqual({ count: 1 });
  await mock.settle();
  expect(mock.deliveries()).toMatchObject([{ attempts: [{ status: 200 }, { status: 200 }] }]);
});

test("redelivering callbacks leaves out system events, and another organization's callbacks", async () => {
  const { ok, mock, hook } = await listening('invoice_paid');
  mock.receivers.set(url, () => new Response('', { status: 500 }));
  await ok('POST', GENERATE, { prompt: 'one', webhookUrl: url });
  await ok('POST', `/api/webhooks/${hook.id}/test`);
  await mock.clock.advance('4 days');
  const { adminKey } = mock.createOrganization();
  const asOther = ok('POST', `${callbacks}/redeliver`, fromStart, { key: adminKey });
  expect(await asOther).toEqual({ count: 0 });
  expect(await ok('POST', `${callbacks}/redeliver`, fromStart)).toEqual({ count: 1 });
});
