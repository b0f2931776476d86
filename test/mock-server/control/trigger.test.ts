import { describe, expect, test } from 'vitest';
import type { TriggerEvent } from '../../../mock-server/index.ts';
import * as schemas from '../../../src/generated/schemas.ts';
import { contractServer, GENERATE, inbox, listening } from '../service/helpers.ts';

const failed = (code: string) => expect.objectContaining({ code });

test.each([
  ['usage_threshold', schemas.UsageThresholdEvent],
  ['invoice_paid', schemas.InvoicePaidEvent],
  ['invoice_payment_failed', schemas.InvoicePaymentFailedEvent],
  ['data_updated', schemas.DataUpdatedEvent],
] as const)(
  '%s matches the contract without a payload, and carries the time it happened, on every attempt and in a test event too',
  async (event, schema) => {
    const { mock, ok, hook } = await listening(event);
    const bodies: unknown[] = [];
    mock.receivers.set('https://app.example/hooks', async (request) => {
      bodies.push(await request.json());
      return new Response(null, { status: bodies.length === 1 ? 500 : 200 });
    });
    await mock.clock.advance('1 hour');
    expect(mock.trigger(event)).toMatchObject([{ event, status: 'pending' }]);
    await mock.clock.advance('1 minute');
    await ok('POST', `/api/webhooks/${hook.id}/test`);
    await mock.settle();
    expect(schema.safeParse(bodies[0])).toMatchObject({ success: true });
    const times = ['01:00:00', '01:00:00', '01:01:00'];
    const { organization } = mock;
    expect(bodies).toMatchObject(
      times.map((time) => ({ event, organization, occurredAt: `2026-01-01T${time}.000Z` })),
    );
    const other = event === 'data_updated' ? 'invoice_paid' : 'data_updated';
    expect(mock.trigger(other), 'only webhooks for the event').toEqual([]);
  },
);

test('the given payload fields are sent, unknown ones too', async () => {
  const { mock, received } = await listening('data_updated');
  const payload = { source: 'crm', reason: 'external_change', records: 3, region: 'eu' } as const;
  mock.trigger('data_updated', payload);
  mock.trigger('data_updated', { source: 'crm' });
  await mock.settle();
  expect(received).toMatchObject([payload, { source: 'crm', records: 1 }]);
});

test('a triggered usage_threshold says a usage that has reached the threshold, unless it is given', async () => {
  const { mock, received } = await listening('usage_threshold', { quota: 1000 });
  mock.trigger('usage_threshold');
  mock.trigger('usage_threshold', { threshold: 500 });
  mock.trigger('usage_threshold', { usage: 1 });
  await mock.settle();
  expect(received).toMatchObject([
    { usage: 900, threshold: 900, quota: 1000 },
    { usage: 500, threshold: 500 },
    { usage: 1, threshold: 900 },
  ]);
});

test('a triggered invoice appears in billing, and is settled by its id', async () => {
  const { mock, received } = await listening('invoice_paid');
  const invoice = { amountDue: 4200, failureReason: 'expired_card' };
  mock.trigger('invoice_payment_failed', { invoice });
  const [open] = mock.billing.list();
  expect(open).toMatchObject({ ...invoice, amountPaid: 0, status: 'payment_failed' });
  mock.trigger('invoice_paid', { invoice: { id: String(open?.id) } });
  await mock.settle();
  const paid = { id: open?.id, amountDue: 4200, amountPaid: 4200, status: 'paid' };
  expect(mock.billing.list()).toMatchObject([paid]);
  expect(received).toMatchObject([{ invoice: paid }]);
});

test('an event for another organization reaches only that organization, and no invoice of another', async () => {
  const on = contractServer();
  const { organization, adminKey } = on.mock.createOrganization();
  const received = inbox(on, 'https://app.example/theirs');
  const body = { event: 'data_updated', url: 'https://app.example/theirs' };
  await on.ok('POST', '/api/webhooks', body, { key: adminKey });
  on.mock.trigger('data_updated');
  await on.mock.settle();
  expect(received).toEqual([]);
  on.mock.trigger('data_updated', {}, { organization });
  await on.mock.settle();
  expect(received).toMatchObject([{ organization }]);
  on.mock.trigger('invoice_payment_failed');
  const [theirs] = on.mock.billing.list();
  const invoice = { id: String(theirs?.id) };
  expect(() => on.mock.trigger('invoice_paid', { invoice }, { organization })).toThrow(
    failed('not_found'),
  );
  expect(on.mock.billing.list()).toEqual([theirs]);
});

test.each([
  ['usage_threshold', { usage: 'lots' }],
  ['usage_threshold', { organization: 'org_other' }],
  ['invoice_paid', { invoice: 5 }],
  ['invoice_paid', { invoice: { amountDue: 0.5 } }],
  ['invoice_paid', { invoice: { status: 'open' } }],
  ['invoice_payment_failed', { invoice: { failureReason: 7 } }],
  ['data_updated', { reason: 'a whim' }],
  ['data_updated', []],
] as const)('%s rejects a payload that does not match the contract: %j', (event, payload) => {
  const { mock } = contractServer();
  expect(() => mock.trigger(event, payload as never)).toThrow(failed('validation_failed'));
  expect(mock.billing.list()).toEqual([]);
});

test('a misspelled payload field is rejected, not ignored', async () => {
  const { mock, received } = await listening('invoice_paid');
  expect(() => mock.trigger('invoice_paid', { invoce: { amountDue: 1 } } as never)).toThrow(
    "its payload has no field invoce. Did you mean 'invoice'?",
  );
  await mock.settle();
  expect([received, mock.billing.list()]).toEqual([[], []]);
});

describe('result callbacks', () => {
  const url = 'https://app.example/callbacks';

  test('one is sent to the given URL, counted, and can be read; a failed one has its error', async () => {
    const on = contractServer();
    const received = inbox(on, url);
    const result = { result: 'Hi', metadata: { order: '7' } };
    const [delivery] = on.mock.trigger('generation_completed', { webhookUrl: url, ...result });
    expect(delivery).toMatchObject({ event: 'generation_completed', url, status: 'pending' });
    await on.mock.settle();
    expect(received).toMatchObject([{ status: 'completed', ...result }]);
    const parsed = schemas.GenerationCompletedCallback.safeParse(received[0]);
    expect(parsed).toMatchObject({ success: true });
    const read = await on.ok('GET', `${GENERATE}/${delivery?.requestId}`);
    expect(read).toMatchObject({ status: 'completed', result: 'Hi' });
    expect(await on.ok('GET', '/api/usage')).toMatchObject({ requests: 1 });
    on.mock.trigger('generation_failed', { webhookUrl: url, error: { message: 'Too long.' } });
    await on.mock.settle();
    const error = { code: 'generation_failed', message: 'Too long.' };
    expect(received[1]).toMatchObject({ status: 'failed', error });
  });

  const completed = 'generation_completed';
  const failed = 'generation_failed';
  const tooMany = Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v']));

  test.each<[TriggerEvent, object, string]>([
    [completed, {}, 'pass webhookUrl, where to send it.'],
    [completed, { webhookUrl: 'nowhere' }, 'webhookUrl must be an absolute URL'],
    [completed, { webhookUrl: url, result: 7 }, 'result must be a non-empty string; received 7.'],
    [completed, { webhookUrl: url, metadata: tooMany }, 'metadata must have at most 16 fields'],
    [failed, { webhookUrl: url, error: { foo: 1 } }, 'unknown field of error foo.'],
    [failed, { webhookUrl: url, error: 'no' }, 'error must be an object; received a string.'],
  ])('%s with %o is rejected and records nothing', (event, payload, message) => {
    const { mock } = contractServer();
    expect(() => mock.trigger(event, payload)).toThrow(message);
    expect(mock.deliveries()).toEqual([]);
  });
});
