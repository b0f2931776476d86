import { describe, expect, test } from 'vitest';
import type { MockServer } from '../../../mock-server/index.ts';
import * as schemas from '../../../src/generated/schemas.ts';
import { contractServer, GENERATE, inbox, listening } from '../service/helpers.ts';

/** The bodies sent to a receiver that fails the first one. */
function failingOnce(mock: MockServer, url: string): string[] {
  const bodies: string[] = [];
  mock.receivers.set(url, async (request) => {
    bodies.push(await request.text());
    return new Response(null, { status: bodies.length === 1 ? 500 : 200 });
  });
  return bodies;
}

describe.each([
  ['usage_threshold', schemas.UsageThresholdEvent],
  ['invoice_paid', schemas.InvoicePaidEvent],
  ['invoice_payment_failed', schemas.InvoicePaymentFailedEvent],
  ['data_updated', schemas.DataUpdatedEvent],
] as const)('%s', (event, schema) => {
  test('triggered without a payload, it matches the contract', async () => {
    const { mock, received } = await listening(event);
    const deliveries = mock.trigger(event);
    await mock.settle();
    expect(deliveries).toMatchObject([{ event, status: 'pending' }]);
    expect(received).toHaveLength(1);
    expect(schema.safeParse(received[0])).toMatchObject({ success: true });
    expect(received[0]).toMatchObject({ event, organization: mock.organization });
  });

  test('it carries the time it happened, on every attempt and in a test event too', async () => {
    const { mock, ok, hook } = await listening(event);
    const received = failingOnce(mock, 'https://app.example/hooks');
    await mock.clock.advance('1 hour');
    mock.trigger(event);
    await mock.clock.advance('1 minute');
    await ok('POST', `/api/webhooks/${hook.id}/test`);
    await mock.settle();
    expect(received.map((body) => JSON.parse(body))).toMatchObject([
      { occurredAt: '2026-01-01T01:00:00.000Z' },
      { occurredAt: '2026-01-01T01:00:00.000Z' },
      { occurredAt: '2026-01-01T01:01:00.000Z' },
    ]);
  });

  test('is not delivered to webhooks for other events', async () => {
    const other = event === 'data_updated' ? 'invoice_paid' : 'data_updated';
    const { mock, received } = await listening(other);
    expect(mock.trigger(event)).toEqual([]);
    await mock.settle();
    expect(received).toEqual([]);
  });
});

test('the given payload fields are sent', async () => {
  const { mock, received } = await listening('data_updated');
  mock.trigger('data_updated', { source: 'crm', reason: 'external_change', records: 3 });
  await mock.settle();
  expect(received).toMatchObject([{ source: 'crm', reason: 'external_change', records: 3 }]);
});

test.each(['invoice_paid', 'invoice_payment_failed'] as const)(
  'a misspelled payload field of %s is rejected, not ignored',
  async (event) => {
    const { mock, received } = await listening(event);
    expect(() => mock.trigger(event, { invoce: { amountDue: 1 } } as never)).toThrow(
      "its payload has no field invoce. Did you mean 'invoice'?",
    );
    await mock.settle();
    expect([received, mock.billing.list()]).toEqual([[], []]);
  },
);

test('a triggered invoice appears in billing', async () => {
  const { mock, received } = await listening('invoice_paid');
  mock.trigger('invoice_paid', { invoice: { amountDue: 4200 } });
  await mock.settle();
  expect(received).toMatchObject([
    { invoice: { amountDue: 4200, amountPaid: 4200, status: 'paid' } },
  ]);
  expect(mock.billing.list()).toMatchObject([{ amountDue: 4200, status: 'paid' }]);
});

test('an existing invoice is settled by its id', async () => {
  const { mock } = await listening('invoice_paid');
  mock.trigger('invoice_payment_failed', { invoice: { failureReason: 'expired_card' } });
  const [open] = mock.billing.list();
  expect(open).toMatchObject({ status: 'payment_failed', failureReason: 'expired_card' });
  mock.trigger('invoice_paid', { invoice: { id: open?.id as string } });
  expect(mock.billing.list()).toMatchObject([{ id: open?.id, status: 'paid' }]);
});

test('an event for another organization reaches only that organization', async () => {
  const on = contractServer();
  const another = on.mock.createOrganization();
  const received = inbox(on, 'https://app.example/theirs');
  const body = { event: 'data_updated', url: 'https://app.example/theirs' };
  await on.ok('POST', '/api/webhooks', body, { key: another.adminKey });
  on.mock.trigger('data_updated');
  await on.mock.settle();
  expect(received).toEqual([]);
  on.mock.trigger('data_updated', {}, { organization: another.organization });
  await on.mock.settle();
  expect(received).toMatchObject([{ organization: another.organization }]);
});

test('an unknown event or organization is rejected', () => {
  const { mock } = contractServer();
  const code = (value: string) => expect.objectContaining({ code: value });
  expect(() => mock.trigger('nope' as never)).toThrow(code('validation_failed'));
  expect(() => mock.trigger('data_updated', {}, { organization: 'org_nope' })).toThrow(
    code('not_found'),
  );
});

test.each([
  ['usage_threshold', { usage: 'lots' }],
  ['usage_threshold', { organization: 'org_other' }],
  ['usage_threshold', { event: 'invoice_paid' }],
  ['invoice_paid', { invoice: null }],
  ['invoice_paid', { invoice: { amountDue: 0.5 } }],
  ['invoice_paid', { invoice: { status: 'open' } }],
  ['invoice_payment_failed', { invoice: { failureReason: 7 } }],
  ['data_updated', { reason: 'a whim' }],
  ['data_updated', []],
  ['data_updated', 5],
] as const)('%s rejects a payload that does not match the contract: %j', (event, payload) => {
  const { mock } = contractServer();
  expect(() => mock.trigger(event, payload as never)).toThrow(
    expect.objectContaining({ code: 'validation_failed' }),
  );
  expect(mock.billing.list()).toEqual([]);
});

test('unknown payload fields are sent as given', async () => {
  const { mock, received } = await listening('data_updated');
  mock.trigger('data_updated', { region: 'eu' } as object);
  await mock.settle();
  expect(received).toMatchObject([{ region: 'eu', records: 1 }]);
});

test("another organization's invoice cannot be settled by its id", () => {
  const { mock } = contractServer();
  const another = mock.createOrganization();
  mock.trigger('invoice_payment_failed');
  const [theirs] = mock.billing.list();
  const invoice = { id: theirs?.id as string };
  const { organization } = another;
  expect(() => mock.trigger('invoice_paid', { invoice }, { organization })).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  expect(mock.billing.list()).toEqual([theirs]);
});

describe('result callbacks', () => {
  const url = 'https://app.example/callbacks';

  test('a completed one is sent to the given URL, counted, and can be read', async () => {
    const on = contractServer();
    const { mock, ok } = on;
    const received = inbox(on, url);
    const metadata = { order: '7' };
    const [delivery] = mock.trigger('generation_completed', {
      webhookUrl: url,
      result: 'Hi',
      metadata,
    });
    await mock.settle();
    expect(delivery).toMatchObject({ event: 'generation_completed', url, status: 'pending' });
    expect(received).toMatchObject([{ status: 'completed', result: 'Hi', metadata }]);
    expect(schemas.GenerationCompletedCallback.safeParse(received[0])).toMatchObject({
      success: true,
    });
    const read = await ok('GET', `${GENERATE}/${delivery?.requestId}`);
    expect(read).toMatchObject({ status: 'completed', result: 'Hi' });
    expect(await ok('GET', '/api/usage')).toMatchObject({ requests: 1 });
  });

  test('a failed one carries the error', async () => {
    const on = contractServer();
    const { mock } = on;
    const received = inbox(on, url);
    mock.trigger('generation_failed', { webhookUrl: url, error: { message: 'Too long.' } });
    await mock.settle();
    expect(received).toMatchObject([
      { status: 'failed', error: { code: 'generation_failed', message: 'Too long.' } },
    ]);
  });

  test('a generation that is processing ends now, and only once', async () => {
    const on = contractServer({ processingTime: 60_000 });
    const { mock, ok } = on;
    const received = inbox(on, url);
    const job = await ok<{ requestId: string }>('POST', GENERATE, { prompt: 'x', webhookUrl: url });
    mock.trigger('generation_completed', {
      requestId: job.requestId,
      result: 'Early',
    });
    await mock.clock.advance('1 hour');
    expect(received).toMatchObject([{ requestId: job.requestId, result: 'Early' }]);
    expect(() => mock.trigger('generation_failed', { requestId: job.requestId })).toThrow(
      'The generation is completed; only one that is processing can be ended.',
    );
  });

  test.each<[object, string]>([
    [{}, 'pass webhookUrl, where to send it, or requestId'],
    [{ webhookUrl: 'nowhere' }, 'Must be an absolute URL'],
    [{ webhookUrl: url, model: 'content-9' }, 'Unknown model.'],
    [{ webhookUrl: url, error: {} }, 'unknown field error.'],
    [{ webhookUrl: url, result: 7 }, 'result must be a non-empty string; received 7.'],
    [{ webhookUrl: url, metadata: { a: 1 } }, 'metadata must be an object of strings'],
    [{ requestId: 'gen_x', prompt: 'y' }, 'its payload cannot set prompt.'],
    [{ requestId: 'gen_x' }, 'No generation has the id "gen_x".'],
  ])('%o is rejected and records nothing', (payload, message) => {
    const { mock } = contractServer();
    expect(() => mock.trigger('generation_completed', payload)).toThrow(message);
    expect(mock.deliveries()).toEqual([]);
  });
});
